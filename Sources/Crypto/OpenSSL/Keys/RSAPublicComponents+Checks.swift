#if !canImport(CryptoKit)
extension RSAPublicComponents {
    /// RFC 8017 section 3.1: n is a product of odd primes and e lies between 3 and n - 1 and is odd (being prime to an
    /// even number). RFC 7518 section 2: neither starts with a zero byte.
    func requireValid(_ allowances: KeyAllowances) throws(CryptoError) -> KeyKind {
        guard modulus.first != 0 else { throw .leadingZero(part: "the RSA modulus") }
        guard exponent.first != 0 else { throw .leadingZero(part: "the RSA public exponent") }
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        try RSALimits.requireSize(bits: bits, allowances)
        guard modulus.last.map({ $0 & 1 == 1 }) == true else { throw .invalidRSAModulus }
        let exponentBits = exponent.count * 8 - (exponent.first?.leadingZeroBitCount ?? 0)
        guard exponentBits >= 2 else { throw .invalidRSAExponent("below 3") }
        guard exponentBits <= RSALimits.maximumExponentBits else {
            throw .invalidRSAExponent("longer than \(RSALimits.maximumExponentBits) bits")
        }
        guard exponent.last.map({ $0 & 1 == 1 }) == true else { throw .invalidRSAExponent("even") }
        return .rsa(bits: bits)
    }
}
#endif
