import Primitives

/// A login that is under way, as the browser keeps it.
struct LoginTicket: Hashable, Sendable {
    /// What state, nonce and verifier of the login follow from, with a key that the browser has not.
    let seed: [UInt8]
    let expires: Timestamp
    /// Where the user wanted to go.
    let returnPath: LocalPath

    static let seedByteCount = 16

    init(seed: [UInt8], expires: Timestamp, returnPath: LocalPath) {
        precondition(seed.count == Self.seedByteCount, "a seed has 16 bytes")
        self.seed = seed
        self.expires = expires
        self.returnPath = returnPath
    }

    init?(encoded bytes: [UInt8]) {
        let head = Self.seedByteCount + 8
        guard bytes.count > head, let path = LocalPath(String(decoding: bytes[head...], as: UTF8.self)) else {
            return nil
        }
        let milliseconds = UInt64(bigEndianBytes: bytes[Self.seedByteCount..<head])
        self.init(
            seed: Array(bytes[..<Self.seedByteCount]),
            expires: Timestamp(millisecondsSinceEpoch: Int64(bitPattern: milliseconds)), returnPath: path)
    }

    var encoded: [UInt8] {
        seed + UInt64(bitPattern: expires.millisecondsSinceEpoch).bigEndianBytes + Array(returnPath.text.utf8)
    }
}
