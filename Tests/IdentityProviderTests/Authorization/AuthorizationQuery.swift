import OAuth
import Primitives

/// An authorization request of the standard web client, to be changed by each test.
struct AuthorizationQuery {
    private var parameters: [(name: String, value: String)] = [
        ("client_id", "web"), ("redirect_uri", AuthorizationQuery.redirectURI), ("response_type", "code"),
        ("scope", "openid"), ("state", "xyz"), ("code_challenge", AuthorizationQuery.challenge),
        ("code_challenge_method", "S256"),
    ]

    static let redirectURI = "http://127.0.0.1/callback"
    /// RFC 7636 appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    init(_ changes: [String: String?] = [:]) {
        for (name, value) in changes { self[name] = value }
    }

    /// Of the confidential client, which needs no PKCE.
    static func service(_ changes: [String: String?] = [:]) -> Self {
        var query = Self(["client_id": "service", "code_challenge": nil, "code_challenge_method": nil])
        for (name, value) in changes { query[name] = value }
        return query
    }

    subscript(name: String) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            parameters.removeAll { $0.name == name }
            if let newValue { parameters.append((name, newValue)) }
        }
    }

    /// Adds a parameter beside one of the same name.
    mutating func add(_ name: String, _ value: String) { parameters.append((name, value)) }

    var pairs: [(name: String, value: String)] { parameters }
    var path: String { "/authorize?" + FormParameters(parameters).encoded }
}
