import Primitives

extension AES256GCM {
    package static let keyByteCount = 32
    package static let nonceByteCount = 12
    /// SP 800-38D section 5.2.1.2 allows shorter tags; each bit less makes a forgery twice as likely.
    package static let tagByteCount = 16
    /// OpenSSL counts in 32 bits. What is sealed on one platform is opened on the other, so the limit is everybody's.
    package static let greatestMessageByteCount = Int(Int32.max) - tagByteCount

    static func check(_ key: Secret) throws(CryptoError) {
        guard key.count == keyByteCount else {
            throw .wrongLength(part: "the key", expectedBytes: keyByteCount, foundBytes: key.count)
        }
    }

    static func check(_ nonce: Span<UInt8>) throws(CryptoError) {
        guard nonce.count == nonceByteCount else {
            throw .wrongLength(part: "the nonce", expectedBytes: nonceByteCount, foundBytes: nonce.count)
        }
    }
}
