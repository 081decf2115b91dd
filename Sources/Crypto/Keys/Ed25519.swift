/// What is particular to Ed25519 (RFC 8032 section 5.1).
enum Ed25519 {
    /// The length of a seed and of a public key.
    static let keyByteCount = 32
    static let signatureByteCount = 64

    /// Whether the public key is one of the eight points of small order, in any encoding. Under such a key a
    /// signature can be made without any secret, so it proves nothing.
    static func isOfSmallOrder(_ key: [UInt8]) -> Bool {
        var withoutSign = key
        withoutSign[keyByteCount - 1] &= 0x7F
        return smallOrderCoordinates.contains(withoutSign)
    }

    /// The y coordinates of those points, least significant byte first, and the two that are small again by exceeding
    /// the prime p = 2^255 - 19.
    private static let smallOrderCoordinates: Set<[UInt8]> = {
        let zero = [UInt8](repeating: 0, count: keyByteCount)
        let one = [1] + zero.dropFirst()
        let lastOfPrime = [UInt8](repeating: 0xFF, count: keyByteCount - 2) + [0x7F]
        let minusOne: [UInt8] = [0xEC] + lastOfPrime
        let prime: [UInt8] = [0xED] + lastOfPrime
        let primePlusOne: [UInt8] = [0xEE] + lastOfPrime
        // The two points of order eight.
        let eighth: [UInt8] = [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ]
        let otherEighth: [UInt8] = [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ]
        return [zero, one, minusOne, prime, primePlusOne, eighth, otherEighth]
    }()
}
