#if !canImport(CryptoKit)
/// How large the numbers of an RSA key may be.
enum RSALimits {
    /// RFC 7518 sections 3.3 and 3.5: a key of 2048 bits or more MUST be used.
    static let minimumModulusBits = 2048
    /// What `KeyAllowances.shortRSAKeys` lowers it to.
    static let minimumModulusBitsWhenAllowed = 1024
    /// A verification with a larger key would take tens of milliseconds of whoever can be made to read it.
    static let maximumModulusBits = 16_384
    /// For the same reason; 65537 needs 17.
    static let maximumExponentBits = 64

    static func minimumModulusBits(_ allowances: KeyAllowances) -> Int {
        allowances.contains(.shortRSAKeys) ? minimumModulusBitsWhenAllowed : minimumModulusBits
    }

    static func requireSize(bits: Int, _ allowances: KeyAllowances) throws(CryptoError) {
        let minimum = minimumModulusBits(allowances)
        guard bits >= minimum else { throw .rsaModulusTooShort(bits: bits, minimum: minimum) }
        guard bits <= maximumModulusBits else { throw .rsaModulusTooLong(bits: bits, maximum: maximumModulusBits) }
    }
}
#endif
