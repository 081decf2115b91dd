/// The numbers of an RSA public key, most significant byte first and without leading zeros: `n` and `e` of RFC 7518
/// section 6.3.1.
package struct RSAPublicComponents: Sendable, Hashable {
    package var modulus: [UInt8]
    package var exponent: [UInt8]

    package init(modulus: [UInt8], exponent: [UInt8]) {
        self.modulus = modulus
        self.exponent = exponent
    }
}
