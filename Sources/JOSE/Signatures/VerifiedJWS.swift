import Primitives

/// A signed object of which one signature was valid under a key that the caller trusts. That there is a value of this
/// type is the proof: only the verification in this file can make one.
package struct VerifiedJWS: Sendable {
    package let payload: [UInt8]
    /// The header of the signature that was valid. Of a general serialisation, the other signatures prove nothing.
    package let header: JOSEHeader
    package let algorithm: SignatureAlgorithm
    /// The identifier of the trusted key, if it has one; the header's `kid` only pointed to it.
    package let keyID: String?

    fileprivate init(payload: [UInt8], header: JOSEHeader, key: VerificationKey) {
        self.payload = payload
        self.header = header
        algorithm = key.algorithm
        keyID = key.keyID
    }
}

extension UnverifiedJWS {
    /// Verifies with one key. At least one signature must be made with it (RFC 7515 section 5.2).
    package func verified(by key: VerificationKey) throws(JWSError) -> VerifiedJWS {
        try firstVerified { signature throws(JWSError) in
            try Self.check(signature, with: key)
            return key
        }
    }

    /// Verifies with whichever of the keys the header points to; RFC 8725 section 3.1: the algorithm is the key's, the
    /// header can only agree.
    package func verified(by keys: VerificationKeySet) throws(JWSError) -> VerifiedJWS {
        try firstVerified { signature throws(JWSError) in
            guard let algorithm = signature.header.algorithm else { throw .algorithmNotSupported }
            let candidates = keys.candidates(keyID: signature.header.keyID, algorithm: algorithm)
            var failure = keys.reasonForNoCandidate(keyID: signature.header.keyID)
            for key in candidates {
                do throws(JWSError) {
                    try Self.check(signature, with: key)
                    return key
                } catch {
                    failure = error
                }
            }
            throw failure
        }
    }

    /// The first signature that `check` lets through; if none, the error of the one that came furthest.
    private func firstVerified(
        by check: (Signature) throws(JWSError) -> VerificationKey
    ) throws(JWSError) -> VerifiedJWS {
        var failure: JWSError?
        for signature in signatures {
            do throws(JWSError) {
                let key = try check(signature)
                return VerifiedJWS(payload: unverifiedPayload, header: signature.header, key: key)
            } catch {
                if failure.map({ $0.progress < error.progress }) ?? true { failure = error }
            }
        }
        throw failure ?? .noSignatures
    }

    private static func check(_ signature: Signature, with key: VerificationKey) throws(JWSError) {
        let header = signature.header
        guard header.understandsCritical else { throw .criticalNotUnderstood }
        guard let algorithm = header.algorithm else { throw .algorithmNotSupported }
        guard algorithm == key.algorithm else { throw .algorithmNotBoundToKey }
        if let wanted = header.keyID, let own = key.keyID, !sameText(wanted, own) { throw .keyIDMismatch }
        guard signature.value.count == key.signatureByteCount else {
            throw .signatureOfWrongLength(expectedByteCount: key.signatureByteCount)
        }
        guard key.isValid(signature.value.span, for: signature.signingInput.span) else { throw .signatureInvalid }
    }
}

extension JWSError {
    /// How far a signature came before it failed, to tell of several failures the one that explains most.
    fileprivate var progress: Int {
        switch self {
        case .signatureInvalid, .signatureOfWrongLength: 3
        case .criticalNotUnderstood: 2
        case .algorithmNotBoundToKey: 1
        default: 0
        }
    }
}
