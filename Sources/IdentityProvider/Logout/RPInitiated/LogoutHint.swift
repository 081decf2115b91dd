/// What an `id_token_hint` says, once it is known to be an ID token of ours (OpenID Connect RP-Initiated Logout section 2).
struct LogoutHint: Sendable {
    /// The client that it was given to.
    let client: Client
    /// The user, as that client knows him.
    let subject: String
    /// The login that it was given in, if there was one.
    let loginID: LoginID?
}
