import Crypto
import Primitives

/// A secret that the provider shares with a client or a user.
///
/// What is compared are digests, in constant time: neither a common beginning nor the length of the right secret can be
/// learned from how long a refusal takes.
package struct SharedSecret: Sendable {
    package let value: Secret
    private let digest: [UInt8]

    package init(_ value: Secret) {
        self.value = value
        digest = Self.digest(of: value)
    }

    package func matches(_ presented: Secret) -> Bool {
        let presented = Self.digest(of: presented)
        return constantTimeEquals(presented.span, digest.span)
    }

    private static func digest(of secret: Secret) -> [UInt8] {
        secret.withBytes { bytes in HashFunction.sha256.digest(bytes.assumingMemoryBound(to: UInt8.self).span) }
    }
}
