import Crypto
import Primitives

/// Nonces of the provider's own for proofs (RFC 9449 section 8): they show that a proof is no older than they are.
///
/// A nonce is the moment when it was given and a code that only this provider can make, so that none has to be
/// remembered, and every instance of a provider takes those of the others.
package struct ProofNonces: Sendable {
    private let authenticator: HMAC

    private static let momentByteCount = 8
    private static let codeByteCount = HashFunction.sha256.byteCount

    package init(secret: Secret) {
        authenticator = HMAC(.sha256, key: secret)
    }

    /// The nonce of this second.
    package func nonce(at now: Timestamp) -> String {
        var bytes = withUnsafeBytes(of: now.secondsSinceEpoch.bigEndian) { Array($0) }
        bytes += authenticator.authenticate(bytes.span)
        return Base64URL.encode(bytes)
    }

    /// What a nonce is worth.
    package enum Judgement: Sendable, Equatable {
        case fresh
        /// Good, and more than half its time is over: the client should have another.
        case ageing
        /// Of nobody, or of too long ago.
        case bad
    }

    package func judge(_ nonce: String, lifetime: Duration, at now: Timestamp) -> Judgement {
        guard let bytes = try? Base64URL.decode(nonce), bytes.count == Self.momentByteCount + Self.codeByteCount,
            authenticator.isValid(
                bytes.span.extracting(Self.momentByteCount..<bytes.count),
                for: bytes.span.extracting(0..<Self.momentByteCount))
        else { return .bad }
        let seconds = bytes[..<Self.momentByteCount].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let age =
            Timestamp(secondsSinceEpoch: now.secondsSinceEpoch)
            - Timestamp(secondsSinceEpoch: Int64(bitPattern: seconds))
        // One of a time to come was given before the clock was set back.
        guard age >= .zero, age < lifetime else { return .bad }
        return age < lifetime / 2 ? .fresh : .ageing
    }
}
