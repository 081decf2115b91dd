import Primitives

/// A signed object as it came in: well-formed, and not to be believed. ``verified(by:)-(VerificationKey)`` turns it
/// into a ``VerifiedJWS``, and nothing else does.
///
///     let object = try UnverifiedJWS(compact: token)
///     let payload = try object.verified(by: key).payload
package struct UnverifiedJWS: Sendable {
    /// One signature with the bytes that it should cover.
    package struct Signature: Sendable {
        package let header: JOSEHeader
        /// RFC 7515 section 5.1 step 8: the protected header's text, a full stop, the payload's text.
        let signingInput: [UInt8]
        let value: [UInt8]
    }

    /// At least one; exactly one unless it came in the general serialisation.
    package let signatures: [Signature]
    /// The payload as it will be once a signature turns out valid.
    package let unverifiedPayload: [UInt8]

    /// The header of the only, or the first, signature.
    package var header: JOSEHeader { signatures[0].header }

    init(signatures: [Signature], payload: [UInt8]) {
        precondition(!signatures.isEmpty)
        self.signatures = signatures
        self.unverifiedPayload = payload
    }
}
