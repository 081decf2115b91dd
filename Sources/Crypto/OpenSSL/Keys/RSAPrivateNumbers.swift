#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// The numbers of an RSA private key, once it is sure that they belong together.
struct RSAPrivateNumbers {
    let modulus: BigNumber
    let publicExponent: BigNumber
    let privateExponent: BigNumber
    let prime1: BigNumber
    let prime2: BigNumber
    let exponent1: BigNumber
    let exponent2: BigNumber
    let coefficient: BigNumber

    init(_ components: RSAPrivateComponents) throws(CryptoError) {
        let arithmetic = Arithmetic()
        modulus = BigNumber(components.publicComponents.modulus)
        publicExponent = BigNumber(components.publicComponents.exponent)
        privateExponent = BigNumber(components.privateExponent)
        guard !privateExponent.isZero, privateExponent < modulus else {
            throw .inconsistentKey("the private exponent is zero or not below the modulus")
        }
        if let factors = components.factors {
            prime1 = BigNumber(factors.prime1)
            prime2 = BigNumber(factors.prime2)
            exponent1 = BigNumber(factors.exponent1)
            exponent2 = BigNumber(factors.exponent2)
            coefficient = BigNumber(factors.coefficient)
        } else {
            (prime1, prime2) = try arithmetic.factors(
                modulus: modulus, publicExponent: publicExponent, privateExponent: privateExponent)
            exponent1 = try arithmetic.remainder(privateExponent, modulo: arithmetic.decremented(prime1))
            exponent2 = try arithmetic.remainder(privateExponent, modulo: arithmetic.decremented(prime2))
            coefficient = try arithmetic.inverse(prime2, modulo: prime1)
        }
        try requireFactorsOfModulus(arithmetic)
        try requireExponents(arithmetic)
        try requirePrimes(arithmetic)
    }

    /// RFC 8017 section 3.2: n = p * q, two different odd primes.
    private func requireFactorsOfModulus(_ arithmetic: Arithmetic) throws(CryptoError) {
        guard prime1.isOdd, prime2.isOdd, !prime1.isOne, !prime2.isOne, prime1 != prime2 else {
            throw .inconsistentKey("the RSA primes are not two different odd numbers")
        }
        guard try arithmetic.product(prime1, prime2) == modulus else {
            throw .inconsistentKey("the RSA modulus is not the product of the primes")
        }
    }

    /// RFC 8017 section 3.2: e * d = 1 modulo p - 1 and q - 1, dP = d mod (p - 1), dQ = d mod (q - 1), q * qInv = 1
    /// modulo p.
    private func requireExponents(_ arithmetic: Arithmetic) throws(CryptoError) {
        for (prime, exponent) in [(prime1, exponent1), (prime2, exponent2)] {
            let order = try arithmetic.decremented(prime)
            guard try arithmetic.product(publicExponent, privateExponent, modulo: order).isOne else {
                throw .inconsistentKey("the RSA private exponent is not the inverse of the public one")
            }
            guard try arithmetic.remainder(privateExponent, modulo: order) == exponent else {
                throw .inconsistentKey("an RSA exponent of the factors does not follow from the private exponent")
            }
        }
        guard coefficient < prime1, try arithmetic.product(prime2, coefficient, modulo: prime1).isOne else {
            throw .inconsistentKey("the RSA coefficient is not the inverse of the second prime")
        }
    }

    /// Fermat's test: it costs a fraction of a signature, where a proof of primality would hold up the start by a
    /// tenth of a second. A key comes from its owner, who gains nothing by a number that is made to pass it.
    private func requirePrimes(_ arithmetic: Arithmetic) throws(CryptoError) {
        for prime in [prime1, prime2] {
            let order = try arithmetic.decremented(prime)
            guard try arithmetic.power(BigNumber(2), order, modulo: prime).isOne else {
                throw .inconsistentKey("an RSA factor is not a prime")
            }
        }
    }
}

extension Arithmetic {
    /// The primes of a key that came without them (NIST SP 800-56B appendix C): a root of one modulo n that is neither
    /// 1 nor n - 1 shares a factor with n, less one.
    ///
    /// Whoever made the key up pays for no more than one base: with the inverse of e, every base to the power of
    /// e * d - 1 is one, and a modulus that has no such roots is told by what it is.
    func factors(
        modulus: BigNumber, publicExponent: BigNumber, privateExponent: BigNumber
    ) throws(CryptoError) -> (BigNumber, BigNumber) {
        let failure = CryptoError.inconsistentKey("the RSA private exponent is not the inverse of the public one")
        let multipleOfOrder = try decremented(product(publicExponent, privateExponent))
        guard !multipleOfOrder.isZero, !multipleOfOrder.isOdd else { throw failure }
        try requireSeveralPrimes(modulus, multipleOfOrder)
        var odd = multipleOfOrder
        var twos = 0
        while !odd.isOdd {
            odd = try halved(odd)
            twos += 1
        }
        let minusOne = try decremented(modulus)
        // Each base fails with a chance of one half at most.
        for base in 2..<102 as Range<UInt> {
            var power = try power(BigNumber(base), odd, modulo: modulus)
            if power.isOne { continue }
            var squarings = 0
            while power != minusOne {
                guard squarings < twos else { throw failure }
                let square = try product(power, power, modulo: modulus)
                if square.isOne {
                    let factor = try greatestCommonDivisor(decremented(power), modulus)
                    let other = try quotient(modulus, factor)
                    return factor > other ? (factor, other) : (other, factor)
                }
                power = square
                squarings += 1
            }
        }
        throw failure
    }

    /// Modulo a prime, or a power of one, there are no roots of one but 1 and n - 1, and no base would find a factor.
    private func requireSeveralPrimes(_ modulus: BigNumber, _ multipleOfOrder: BigNumber) throws(CryptoError) {
        // The order of the numbers modulo a power of p is a multiple of p.
        guard try greatestCommonDivisor(multipleOfOrder, modulus).isOne,
            try !power(BigNumber(2), decremented(modulus), modulo: modulus).isOne
        else { throw .inconsistentKey("the RSA modulus is not the product of two primes") }
    }
}
#endif
