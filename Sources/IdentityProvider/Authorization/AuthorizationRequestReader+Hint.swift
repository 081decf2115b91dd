import OAuth
import Primitives

extension AuthorizationRequestReader {
    /// The `sub` of an `id_token_hint` (OpenID Connect Core section 3.1.2.1): an ID token that this provider gave to this
    /// client, however long ago.
    ///
    /// One that is not ours names nobody. With `prompt=none` that means that nobody of that name is logged in.
    func hintedSubject(
        _ hint: String, of client: Client, _ prompt: Prompt, as issuer: PreparedIssuer, at now: Timestamp
    ) throws(OAuthError) -> String {
        do throws(IDTokenReader.Refusal) {
            return try IDTokenReader(context: context).read(hint, givenTo: client, as: issuer, at: now).subject
        } catch {
            throw OAuthError(
                prompt == .none ? .loginRequired : .invalidRequest,
                "id_token_hint is no ID token that this provider gave to this client",
                cause: "id_token_hint: \(error.cause)")
        }
    }
}
