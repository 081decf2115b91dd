import Primitives

/// A proof that was judged: whoever sent the request has the key (RFC 9449 section 4.3). Only `DPoPProofReader` makes one.
package struct DPoPProof: Sendable {
    /// Of the key (RFC 7638): what `jkt` confirms.
    package let thumbprint: String
    /// `jti`.
    package let identifier: String
    /// From when on it would not be taken any more.
    package let expires: Timestamp
    /// Whether the client should have a new nonce with its answer.
    package let wantsNonce: Bool

    package var confirmation: Confirmation { .proofKey(thumbprint: thumbprint) }
}
