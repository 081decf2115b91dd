import HTTPMessages
import JOSE
import OAuth
import Primitives

/// Judges whether whoever presents an access token has the key that it is bound to: for the userinfo endpoint, and whatever
/// else here takes access tokens (RFC 9449 section 7, RFC 8705 section 3).
package struct ResourceSenderCheck: Sendable {
    let context: ProviderContext

    package init(context: ProviderContext) {
        self.context = context
    }

    /// How a token came.
    package struct Presentation: Sendable {
        let token: String
        /// `bearer` also for a token in the body, which has no scheme (RFC 6750 section 2.2).
        let scheme: BearerCredentials.Scheme

        package init(_ token: String, by scheme: BearerCredentials.Scheme) {
            self.token = token
            self.scheme = scheme
        }

        package init(_ credentials: BearerCredentials) {
            self.init(credentials.token, by: credentials.scheme)
        }
    }

    /// For the endpoint at `path` below the issuer; see the other.
    func check(
        _ request: ServerRequest, presenting presentation: Presentation, boundTo confirmation: Confirmation?,
        to path: String, of issuer: PreparedIssuer, at now: Timestamp
    ) async throws(ResourceRefusal) -> HTTPFields {
        try await check(
            request, presenting: presentation, boundTo: confirmation,
            to: SenderConstraints.urls(of: request, to: path, of: issuer), at: now)
    }

    /// - Parameters:
    ///   - confirmation: that of the token.
    ///   - urls: the names of the URL that was asked; nobody needs them but for a proof.
    /// - Returns: fields that belong on the answer, such as the next nonce.
    package func check(
        _ request: ServerRequest, presenting presentation: Presentation, boundTo confirmation: Confirmation?,
        to urls: @autoclosure () -> [TargetURL], at now: Timestamp
    ) async throws(ResourceRefusal) -> HTTPFields {
        do throws(OAuthError) {
            switch confirmation {
            case nil:
                // RFC 9449 section 7.1: under the scheme DPoP, the token must be bound to the key of the proof.
                guard presentation.scheme == .bearer else {
                    throw OAuthError(.invalidToken, "the token is bound to no key: present it as a Bearer token")
                }
                return [:]
            case .certificate(let thumbprint):
                try requireCertificate(thumbprint, of: request, presentation)
                return [:]
            case .proofKey(let thumbprint):
                return try await requireProof(thumbprint, of: request, presentation, to: urls(), at: now)
            }
        } catch {
            throw refusal(error, for: confirmation, presentation.scheme, at: now)
        }
    }

    /// RFC 8705 section 3: the certificate MUST match the one of the token, otherwise 401 and invalid_token.
    private func requireCertificate(
        _ thumbprint: String, of request: ServerRequest, _ presentation: Presentation
    ) throws(OAuthError) {
        guard presentation.scheme == .bearer else {
            throw OAuthError(.invalidToken, "the token is bound to a certificate: present it as a Bearer token")
        }
        guard let certificate = request.peer.clientCertificate,
            Confirmation(certificate) == .certificate(thumbprint: thumbprint)
        else { throw OAuthError(.invalidToken, "the token is bound to a certificate, and was sent without it") }
    }

    private func requireProof(
        _ thumbprint: String, of request: ServerRequest, _ presentation: Presentation, to urls: [TargetURL],
        at now: Timestamp
    ) async throws(OAuthError) -> HTTPFields {
        // RFC 9449 section 7.2: a bound token that comes as a Bearer token MUST be refused.
        guard presentation.scheme == .dpop else {
            throw OAuthError(
                .invalidToken, "the token is bound to a key: present it under the scheme DPoP, with a proof")
        }
        let constraints = SenderConstraints(context: context)
        guard
            let proof = try constraints.reader.proof(
                of: request, to: urls, with: presentation.token, at: now)
        else { throw OAuthError(.invalidDPoPProof, "the DPoP header is missing") }
        guard sameText(proof.thumbprint, thumbprint) else {
            throw OAuthError(.invalidToken, "the token is bound to another key than the one of the proof")
        }
        try await constraints.spend(proof, at: now)
        return proof.wantsNonce ? [.dpopNonce: context.proofNonces.nonce(at: now)] : [:]
    }

    /// RFC 9449 section 7.1: 401, and a challenge of the scheme that would be right.
    private func refusal(
        _ error: OAuthError, for confirmation: Confirmation?, _ scheme: BearerCredentials.Scheme, at now: Timestamp
    ) -> ResourceRefusal {
        let error = OAuthError(error.code.atResource, error.publicDescription, cause: error.cause)
        var fields: HTTPFields = [:]
        if error.code.status == 401 {
            if case .proofKey? = confirmation {
                let algorithms = DPoPProofReader.algorithms.map(\.name)
                fields[.wwwAuthenticate] = Challenge(.dpop, error: error, algorithms: algorithms).text
            } else {
                fields[.wwwAuthenticate] = Challenge(.bearer, error: error).text
            }
        }
        if error.code == .useDPoPNonce { fields[.dpopNonce] = context.proofNonces.nonce(at: now) }
        return ResourceRefusal(error: error, fields: fields)
    }
}
