import OAuth
import Primitives

/// What an authorization request asks for besides a code (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1).
///
///     var parameters = AuthorizationParameters(scope: try Scope(parsing: "openid offline_access"))
///     parameters.prompt = .selectAccount
///     parameters.loginHint = "alice@example.com"
///     parameters.others = [("audience", "https://api.example")]
public struct AuthorizationParameters: Sendable {
    /// What the tokens are to allow. With `openid` among it there is an ID token, and ``IDTokenClaims``; for a refresh token
    /// most servers want `offline_access`.
    public var scope: Scope
    /// What the user is to be asked, whatever the browser remembers.
    public var prompt: Prompt = []
    /// Who will probably sign in.
    public var loginHint: String?
    /// How long ago the user may have shown who he is; `nil`: it does not matter.
    public var maxAge: MaxAge?
    /// In order of preference.
    public var languages: [String] = []
    /// RFC 8707 section 2: the APIs that the tokens are for.
    public var resources: [String] = []
    /// Whatever else a server knows. Not one of the parameters that the login makes itself.
    public var others: [(name: String, value: String)] = []

    /// Whatever is not said is left to the server.
    public init(scope: Scope = .empty) { self.scope = scope }

    /// Whether an ID token is asked for (OpenID Connect Core section 3.1.2.1).
    var asksForIDToken: Bool { scope.contains("openid") }

    /// Those of ``others`` that would say twice what the login says itself.
    var firstReservedName: String? {
        others.map(\.name).first { name in
            name.isEmpty || Self.reservedNames.contains { sameText($0, name) }
        }
    }

    private static let reservedNames = [
        "response_type", "response_mode", "client_id", "client_secret", "redirect_uri", "scope", "state", "nonce",
        "code_challenge", "code_challenge_method", "code_verifier", "prompt", "login_hint", "max_age", "ui_locales",
        "resource", "dpop_jkt", "request", "request_uri",
    ]

    /// As they stand in a request.
    var pairs: [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        if !scope.isEmpty { pairs.append(("scope", scope.text)) }
        if !prompt.isEmpty {
            let names = Prompt.names.filter { prompt.contains($0.prompt) }.map(\.name)
            pairs.append(("prompt", names.joined(separator: " ")))
        }
        if let loginHint { pairs.append(("login_hint", loginHint)) }
        if let maxAge { pairs.append(("max_age", String(maxAge.seconds))) }
        if !languages.isEmpty { pairs.append(("ui_locales", languages.joined(separator: " "))) }
        for resource in resources { pairs.append(("resource", resource)) }
        return pairs + others
    }
}
