import OAuth

/// A request to sign a user out, as far as it does not depend on who is signed in (OpenID Connect RP-Initiated Logout
/// section 2).
struct LogoutRequest: Sendable {
    let hint: LogoutHint?
    /// Who asks, by `client_id` or by the hint. Without a hint, that is a claim and no proof.
    let client: Client?
    /// Where the user is to go afterwards. Only what the client has registered becomes one.
    let redirectURI: RedirectURI?
    let state: String?
    /// `logout_hint`: who is signing out, in whatever way the client knows him.
    let userHint: String?
    let uiLocales: String?

    /// Where the user is sent (section 3): `state` goes along.
    var destination: String? {
        redirectURI?.appending(query: state.map { [("state", $0)] } ?? [])
    }
}
