import Primitives

/// The numbers of an RSA private key, most significant byte first and without leading zeros (RFC 7518 section 6.3.2).
package struct RSAPrivateComponents: Sendable, Equatable {
    /// The primes and what speeds up a signature with them: `p`, `q`, `dp`, `dq`, `qi`.
    package struct Factors: Sendable, Equatable {
        package var prime1: Secret
        package var prime2: Secret
        package var exponent1: Secret
        package var exponent2: Secret
        package var coefficient: Secret

        package init(prime1: Secret, prime2: Secret, exponent1: Secret, exponent2: Secret, coefficient: Secret) {
            self.prime1 = prime1
            self.prime2 = prime2
            self.exponent1 = exponent1
            self.exponent2 = exponent2
            self.coefficient = coefficient
        }
    }

    package var publicComponents: RSAPublicComponents
    /// `d`
    package var privateExponent: Secret
    /// Where they are missing they are computed from the rest when the key is made. An exported key has them.
    package var factors: Factors?

    package init(publicComponents: RSAPublicComponents, privateExponent: Secret, factors: Factors?) {
        self.publicComponents = publicComponents
        self.privateExponent = privateExponent
        self.factors = factors
    }
}
