import OAuth
import Primitives

/// Turns what came to the logout endpoint into a request that only the user still has to decide about.
///
/// OpenID Connect RP-Initiated Logout section 4: if any validation fails, whatever needs what could not be validated is
/// not done. Here nothing is done, and a page says why: a client whose redirect is wrong is to be mended, and signing its
/// user out would only hide that.
struct LogoutRequestReader: Sendable {
    let context: ProviderContext
    private let hints: LogoutHintReader

    init(context: ProviderContext) {
        self.context = context
        hints = LogoutHintReader(context: context)
    }

    /// What a logout request may hold.
    static let parameters = [
        "id_token_hint", "logout_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales",
    ]

    /// Who sent the user: what an ID token says, and the client of it, or the one that is named.
    typealias Sender = (hint: LogoutHint?, client: Client?)

    func sender(
        of form: FormParameters, as issuer: PreparedIssuer, at now: Timestamp
    ) throws(OAuthError) -> Sender {
        // Of the same parameter twice nobody knows which counts. What is not ours may come as often as it likes.
        for name in Self.parameters where form.has(severalOf: name) {
            throw OAuthError(.invalidRequest, "\(name) is there more than once")
        }
        let named = try client(of: form)
        var hint: LogoutHint?
        if let text = form["id_token_hint"] { hint = try hints.hint(text, named: named, as: issuer, at: now) }
        return (hint, named ?? hint?.client)
    }

    func read(_ form: FormParameters, from sender: Sender) throws(OAuthError) -> LogoutRequest {
        LogoutRequest(
            hint: sender.hint, client: sender.client, redirectURI: try redirectURI(of: form, for: sender.client),
            state: try state(of: form), userHint: form["logout_hint"], uiLocales: form["ui_locales"])
    }

    private func client(of form: FormParameters) throws(OAuthError) -> Client? {
        guard let id = form["client_id"] else { return nil }
        guard let client = context.client(id) else {
            throw OAuthError(.invalidRequest, "there is no client of this client_id", cause: "unknown client")
        }
        return client
    }

    /// Section 3: the value MUST have been registered before, and is compared exactly; a loopback URI may have any port,
    /// as where the client's user came from (RFC 8252 section 7.3). Section 2: without a hint the provider needs another
    /// way to know whose redirect it is, and `client_id` is that way.
    private func redirectURI(of form: FormParameters, for client: Client?) throws(OAuthError) -> RedirectURI? {
        guard let text = form["post_logout_redirect_uri"] else { return nil }
        guard let client else {
            throw OAuthError(
                .invalidRequest,
                "post_logout_redirect_uri comes with an id_token_hint or a client_id, which say whose it is")
        }
        let presented: RedirectURI
        do { presented = try RedirectURI(text) } catch { throw OAuthError(.invalidRequest, error.description) }
        guard
            client.origin == .assumed
                || client.metadata.postLogoutRedirectURIs.contains(where: { $0.matches(presented) })
        else {
            throw OAuthError(
                .invalidRequest, "the client has not registered this post_logout_redirect_uri",
                cause: "client \(client.id)")
        }
        return presented
    }

    private func state(of form: FormParameters) throws(OAuthError) -> String? {
        guard let state = form["state"] else { return nil }
        guard state.utf8.count <= ResponseTarget.maximumStateByteCount else {
            throw OAuthError(.invalidRequest, "state has more than \(ResponseTarget.maximumStateByteCount) bytes")
        }
        return state
    }
}
