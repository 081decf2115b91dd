import JOSE
import OAuth
import Primitives

/// Reads the `id_token_hint` of a logout request.
///
/// OpenID Connect RP-Initiated Logout section 2: the provider MUST validate that it was the issuer of the token, and
/// SHOULD accept one whose time is over: users sign out long after they signed in.
struct LogoutHintReader: Sendable {
    let context: ProviderContext

    /// - Parameter named: the client of `client_id`, if the request has one.
    func hint(
        _ text: String, named: Client?, as issuer: PreparedIssuer, at now: Timestamp
    ) throws(OAuthError) -> LogoutHint {
        do throws(IDTokenReader.Refusal) {
            let token = try IDTokenReader(context: context).read(text, givenTo: named, as: issuer, at: now)
            return LogoutHint(
                client: token.client, subject: token.subject,
                loginID: token.claims["sid"]?.string.map { LoginID($0) })
        } catch {
            // One refusal for all causes; the log has the cause.
            throw OAuthError(
                .invalidRequest, "id_token_hint is no ID token that this provider gave to this client",
                cause: "id_token_hint: \(error.cause)")
        }
    }
}
