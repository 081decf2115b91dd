import HTTPMessages
import OAuth
import Primitives

/// `tls_client_auth`: a certificate that an authority vouches for, with the subject that the client has registered
/// (RFC 8705 section 2.1).
struct TrustedCertificate: ClientAuthenticationMethod {
    static let name = "tls_client_auth"

    var name: String { Self.name }

    var needsCertificate: Bool { true }

    /// RFC 8705 section 2: the client is found by its `client_id`, which MUST be there.
    func isUsed(by request: ClientRequest, in context: ProviderContext) -> Bool {
        request.clientWithoutCredentials(in: context)??.certificateMethod == Self.name
    }

    func authenticate(_ request: ClientRequest, in context: ProviderContext) throws(OAuthError) -> Client {
        guard let client = request.form["client_id"].flatMap({ context.client($0) }) else {
            throw OAuthError(.invalidClient, "unknown client", cause: "unknown client")
        }
        let certificate = try request.shownCertificate()
        guard certificate.isTrusted else {
            throw OAuthError(
                .invalidClient, "no authority that this provider trusts vouches for the client's certificate")
        }
        guard let subject = client.metadata.certificateSubject, subject.matches(certificate) else {
            throw OAuthError(
                .invalidClient, "the client's certificate has another subject than the client has registered")
        }
        return client
    }
}

extension ClientRequest {
    func shownCertificate() throws(OAuthError) -> ClientCertificate {
        guard let certificate else {
            throw OAuthError(
                .invalidClient,
                "this client proves itself by a certificate, and showed none; connect where one is asked for "
                    + "(mtls_endpoint_aliases)")
        }
        return certificate
    }
}
