import Crypto
import Primitives

/// What a browser shows in place of tokens: 256 random bits, which mean nothing anywhere else.
enum SessionIdentifier {
    static let byteCount = 32

    static func make(by random: any RandomSource) -> String { random.identifier(byteCount: byteCount) }

    /// All that is kept of one: who reads the memory of the proxy, or a log, cannot show it to the proxy.
    struct Digest: Hashable, Sendable {
        private let bytes: [UInt8]

        init(of identifier: String) { bytes = HashFunction.sha256.digest(Array(identifier.utf8).span) }

        /// Tells sessions apart in a log.
        var label: String { String(Base64URL.encode(bytes).prefix(8)) }
    }
}
