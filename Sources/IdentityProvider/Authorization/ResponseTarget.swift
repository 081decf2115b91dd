import OAuth
import Primitives

/// Where the answer to an authorization request goes, and how. Only what a client has registered becomes one.
package struct ResponseTarget: Sendable, Hashable {
    package let redirectURI: RedirectURI
    package let mode: ResponseMode
    package let state: String?
    /// As the request had it; the token request must say the same (RFC 6749 section 4.1.3). `nil` when it named none.
    package let namedRedirectURI: String?
}

extension ResponseTarget {
    /// Reads what must be right before anything, an error included, may be sent to a redirect URI (RFC 6749 section
    /// 4.1.2.1). The rest of the request may be wrong: how its error travels is then guessed as well as it can be.
    init(_ form: FormParameters, of client: Client) throws(OAuthError) {
        redirectURI = try Self.redirectURI(form, of: client)
        namedRedirectURI = form["redirect_uri"]
        // Which of several the client would know again, nobody can tell.
        let state = form.has(severalOf: "state") ? nil : form["state"]
        self.state = state.flatMap { $0.utf8.count <= Self.maximumStateByteCount ? $0 : nil }
        mode = Self.mode(form)
    }

    /// Whether the answer may still go there: the client may have been changed since the request was read.
    func isRegistered(by client: Client) -> Bool {
        client.origin == .assumed
            || client.metadata.redirectURIs.contains { sameText($0.text, redirectURI.text) || $0.matches(redirectURI) }
    }

    /// Longer than any honest state, and short enough that the answer still fits into a URL.
    static let maximumStateByteCount = 4096

    private static func redirectURI(_ form: FormParameters, of client: Client) throws(OAuthError) -> RedirectURI {
        guard !form.has(severalOf: "redirect_uri") else {
            throw OAuthError(.invalidRequest, "redirect_uri is there more than once")
        }
        guard let text = form["redirect_uri"] else { return try onlyRedirectURI(of: client, form) }
        // RFC 9700 section 2.1: exact, but for the port of a loopback URI.
        if let registered = client.metadata.redirectURIs.first(where: { sameText($0.text, text) }) { return registered }
        let presented: RedirectURI
        do { presented = try RedirectURI(text) } catch { throw OAuthError(.invalidRequest, error.description) }
        guard client.origin == .assumed || client.metadata.redirectURIs.contains(where: { $0.matches(presented) })
        else {
            throw OAuthError(
                .invalidRequest, "the client has not registered this redirect_uri", cause: "client \(client.id)")
        }
        return presented
    }

    /// RFC 6749 section 3.1.2.3: it may be left out where exactly one is registered. OpenID Connect Core section
    /// 3.1.2.1: REQUIRED in its requests.
    private static func onlyRedirectURI(of client: Client, _ form: FormParameters) throws(OAuthError) -> RedirectURI {
        guard client.metadata.redirectURIs.count == 1 else {
            throw OAuthError(.invalidRequest, "redirect_uri is missing, and the client has not registered exactly one")
        }
        let scope = form["scope"] ?? client.metadata.defaultScope.text
        guard !scope.utf8.split(separator: 0x20).contains(where: { $0.elementsEqual("openid".utf8) }) else {
            throw OAuthError(.invalidRequest, "redirect_uri is missing; OpenID Connect requires it")
        }
        return client.metadata.redirectURIs[0]
    }

    /// The mode that is asked for, or the standard one; where neither can be read, the one that carries nothing in the
    /// query that should not be there.
    private static func mode(_ form: FormParameters) -> ResponseMode {
        let asked = form.has(severalOf: "response_mode") ? nil : form["response_mode"]
        if let type = try? ResponseType(parsing: form["response_type"] ?? "") {
            return (try? ResponseMode(parsing: asked, for: type)) ?? .standard(for: type)
        }
        let words = (form["response_type"] ?? "").split(separator: " ")
        let type: ResponseType = words.contains("token") || words.contains("id_token") ? .token : .code
        return (try? ResponseMode(parsing: asked, for: type)) ?? .standard(for: type)
    }
}
