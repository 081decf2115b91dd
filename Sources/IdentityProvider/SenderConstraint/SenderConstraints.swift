import HTTPMessages
import JOSE
import OAuth
import Primitives

/// Finds out which key the sender of a request has, so that what he gets can be bound to it: by a proof (RFC 9449) or by
/// the certificate of the connection (RFC 8705).
///
/// In two steps, because a client that must try again with a nonce tries with the same assertion, code or refresh token:
/// a proof is judged before any of them is looked at.
///
///     let proof = try constraints.proof(of: request, to: path, of: issuer, at: now)
///     let client = try await authenticator.authenticate(…)
///     let confirmation = try await constraints.confirmation(by: proof, of: request, for: client, at: now)
///     …
///     constraints.announceNonce(on: &response, after: proof, at: now)
struct SenderConstraints: Sendable {
    let context: ProviderContext

    /// The proof that a request brings, if it brings one.
    func proof(
        of request: ServerRequest, to path: String, of issuer: PreparedIssuer, at now: Timestamp
    ) throws(OAuthError) -> DPoPProof? {
        try reader.proof(of: request, to: Self.urls(of: request, to: path, of: issuer), at: now)
    }

    /// What a sender may call the URL that he asked. The issuer may be reached by several names, and be known to clients
    /// by another one still, where a proxy stands before it.
    static func urls(of request: ServerRequest, to path: String, of issuer: PreparedIssuer) -> [TargetURL] {
        [request.url, issuer.issuer.url(of: path)].compactMap { $0.flatMap { TargetURL($0) } }
    }

    var reader: DPoPProofReader {
        DPoPProofReader(policy: context.configuration.proofs, nonces: context.proofNonces)
    }

    /// What tokens for the client are to be bound to; `nil`: to nothing. From here on the proof is spent.
    func confirmation(
        by proof: DPoPProof?, of request: ServerRequest, for client: Client, at now: Timestamp
    ) async throws(OAuthError) -> Confirmation? {
        let certificate = try certificateConfirmation(of: request, for: client)
        guard let proof else {
            // RFC 9449 section 5.2, dpop_bound_access_tokens: a token request without a proof MUST be refused.
            guard !client.metadata.requiresDPoP else {
                throw OAuthError(
                    .invalidDPoPProof, "the tokens of this client are bound to a key: the DPoP header is missing")
            }
            return certificate
        }
        // A token is bound in one way. Whoever registered for the other is not given this one in silence.
        guard !client.metadata.requiresCertificateBinding else {
            throw OAuthError(
                .invalidDPoPProof, "the tokens of this client are bound to its certificate, not to a proof")
        }
        try await spend(proof, at: now)
        return proof.confirmation
    }

    /// RFC 8705 section 3: the tokens of a client that proves itself by a certificate are bound to it, and those of a
    /// client that registered for it, whatever it proves itself by; a public one too (section 4).
    private func certificateConfirmation(
        of request: ServerRequest, for client: Client
    ) throws(OAuthError) -> Confirmation? {
        guard client.metadata.requiresCertificateBinding || client.certificateMethod != nil else { return nil }
        guard let certificate = request.peer.clientCertificate else {
            throw OAuthError(
                .invalidRequest,
                "the tokens of this client are bound to its certificate, and it showed none; connect where one is "
                    + "asked for (mtls_endpoint_aliases)")
        }
        return Confirmation(certificate)
    }

    /// RFC 9449 section 11.1: a proof is good once. Of all who send the same, however near together, one gets through.
    func spend(_ proof: DPoPProof, at now: Timestamp) async throws(OAuthError) {
        let isNew = try await context.storing { store throws(StoreError) in
            // The name is the key's own: the same one under another key is another proof.
            try await store.spend(
                OneTimeIdentifier(.proof, of: proof.thumbprint, named: proof.identifier), until: proof.expires, at: now)
        }
        guard isNew else { throw DPoPProofReader.refused("it was used before") }
    }

    /// RFC 9449 section 8.2: a client whose nonce grows old gets the next one with its answer.
    func announceNonce(on response: inout ServerResponse, after proof: DPoPProof?, at now: Timestamp) {
        guard proof?.wantsNonce == true else { return }
        response.head.headerFields[.dpopNonce] = context.proofNonces.nonce(at: now)
    }

    /// RFC 9449 section 8: who is told that he needs a nonce is told which.
    func announceNonce(on response: inout ServerResponse, after error: OAuthError, at now: Timestamp) {
        guard error.code == .useDPoPNonce else { return }
        response.head.headerFields[.dpopNonce] = context.proofNonces.nonce(at: now)
    }

    /// RFC 9449 section 5.1, RFC 8705 section 3.3.
    func advertise(in metadata: inout ServerMetadata) {
        metadata.append(contentsOf: DPoPProofReader.algorithms.map(\.name), to: .dpopSigningAlgorithms)
        if context.configuration.asksForCertificates(of: metadata.issuer) {
            metadata[.certificateBoundAccessTokens] = true
        }
    }
}
