import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// A provider whose clients have sessions in cookies.
///
/// `app` may fork for `view`; `shop` is used by pages of another site; `tidy` ends the login with the session; the first two lose their cookies with a refused refresh; `body` has
/// no sessions in cookies; `back` has a secret.
struct SessionLab {
    let idp: ProviderUnderTest

    static let shopOrigin = "https://shop.example"

    init(_ more: [JSONObject] = [], configure: (inout ProviderConfiguration) -> Void = { _ in }) async throws {
        var clients: [JSONObject] = [
            Self.client("app", ["fork_to": ["view", "shop", "back", "body", "twin"], "after_refusal": "expire"]),
            Self.client("view", ["after_refusal": "expire"], ["scope": "openid"]),
            Self.client(
                "shop",
                [
                    "origins": [.string(Self.shopOrigin)], "access_cookie": ["same_site": "None"],
                    "refresh_cookie": ["same_site": "None"],
                ]),
            Self.client("tidy", ["sign_out": "login", "fork_to": ["view"]]),
            Self.client("body", nil),
        ]
        clients += more
        var all = try clients.map { try Client(json: $0, by: ClientMetadataRules(.configuration)) }
        all.append(
            try Client(
                json: [
                    "client_id": "back", "client_secret": "back-secret", "grant_types": ["refresh_token"],
                ], by: ClientMetadataRules(.configuration)))
        idp = try await ProviderUnderTest(clients: all, users: StandardUsers.all(), configure: configure)
    }

    static func client(_ id: String, _ session: JSONObject?, _ more: JSONObject = [:]) -> JSONObject {
        var json: JSONObject = [
            "client_id": .string(id), "redirect_uris": [.string(AuthorizationQuery.redirectURI)],
            "grant_types": ["authorization_code", "refresh_token"],
        ]
        json["cookie_session"] = session.map { .object($0) }
        for (name, value) in more { json[name] = value }
        return json
    }

    var context: ProviderContext { idp.context }

    func browser(host: String = ProviderUnderTest.host, isEncrypted: Bool = false) -> SessionBrowser {
        SessionBrowser(idp, host: host, isEncrypted: isEncrypted)
    }

    /// A browser with a session of alice.
    func signedIn(_ client: String = "app", also form: [String: String] = [:]) async throws -> SessionBrowser {
        let browser = browser()
        let answer = await browser.signIn(client, also: form)
        try #require(answer.status == 200, "\(answer.errorDescription)")
        return browser
    }

    /// A code that alice has granted.
    func code(for client: String = "app", scope: String = "openid") async throws -> String {
        try await idp.code(AuthorizationQuery(["client_id": client, "scope": scope]))
    }

    func family(_ browser: SessionBrowser, _ client: String = "app") async throws -> Family {
        let token = try #require(browser.refreshToken(of: client))
        let id = try #require(context.refreshTokens.read(token)).family
        return try #require(try await context.store.family(id))
    }
}

/// Keeps cookies by their names and paths, and sends what its test says about where a request comes from.
final class SessionBrowser {
    private let idp: ProviderUnderTest
    let host: String
    let isEncrypted: Bool
    /// Under the name, its path and value, and what was said of it.
    private(set) var cookies: [String: Cookie] = [:]
    /// What the next request says beside its cookies.
    var extraCookies: [String] = []

    /// As it was set last.
    struct Cookie: Sendable {
        let value: String
        let path: String
        let field: String
    }

    init(_ idp: ProviderUnderTest, host: String, isEncrypted: Bool) {
        self.idp = idp
        self.host = host
        self.isEncrypted = isEncrypted
    }

    func accessToken(of client: String = "app") -> String? { value("pawl_access_\(client)") }
    func refreshToken(of client: String = "app") -> String? { value("pawl_refresh_\(client)") }

    private func value(_ name: String) -> String? {
        cookies.first { $0.key == name || $0.key == name + "_8080" || $0.key.hasSuffix("-" + name) }?.value.value
    }

    func put(_ name: String, _ value: String, path: String = "/") {
        cookies[name] = Cookie(value: value, path: path, field: "")
    }

    func forget(_ name: String) { cookies[name] = nil }

    @discardableResult
    func send(
        _ method: HTTPRequest.Method, _ path: String = "/session", _ form: [String: String] = [:],
        json: JSON? = nil, _ fields: HTTPFields = [:]
    ) async -> Answer {
        var fields = fields
        let target = path.prefix { $0 != "?" }
        let sent = cookies.filter { target == $0.value.path || target.hasPrefix($0.value.path.slashed) }
        let pairs = sent.map { "\($0.key)=\($0.value.value)" } + extraCookies
        if !pairs.isEmpty { fields[.cookie] = pairs.joined(separator: "; ") }
        var body: [UInt8] = []
        if let json {
            body = json.serialised()
            if !fields.contains(.contentType) { fields[.contentType] = "application/json" }
        } else if !form.isEmpty {
            body = Array(FormParameters(form.map { ($0.key, $0.value) }).encoded.utf8)
            if !fields.contains(.contentType) { fields[.contentType] = "application/x-www-form-urlencoded" }
        }
        let answer = await idp.respond(method, path, fields, body: body, host: host, isEncrypted: isEncrypted)
        for field in answer.fields[values: .setCookie] { keep(field) }
        return answer
    }

    func signIn(_ client: String = "app", also form: [String: String] = [:]) async -> Answer {
        let usual = ["client_id": client, "username": "alice", "password": "alice", "scope": "openid email"]
        return await send(.post, "/session", usual.merging(form) { $1 })
    }

    func tell(_ fields: HTTPFields = [:]) async -> Answer { await send(.get, "/session", [:], fields) }

    func refresh(_ form: [String: String] = [:], _ fields: HTTPFields = [:]) async -> Answer {
        await send(.post, "/session/refresh", form, fields)
    }

    func end(_ path: String = "/session", _ fields: HTTPFields = [:]) async -> Answer {
        await send(.delete, path, [:], fields)
    }

    func fork(_ client: String, also form: [String: String] = [:], _ fields: HTTPFields = [:]) async -> Answer {
        await send(.post, "/session/fork", ["fork_client_id": client].merging(form) { $1 }, fields)
    }

    private func keep(_ field: String) {
        let parts = field.split(separator: "; ")
        let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = parts.first { $0.hasPrefix("Path=") }?.dropFirst(5)
        cookies[pair[0]] =
            parts.contains("Max-Age=0") ? nil : Cookie(value: pair[1], path: String(path ?? "/"), field: field)
    }
}

extension String {
    fileprivate var slashed: String { hasSuffix("/") ? self : self + "/" }
}

extension Answer {
    var setCookies: [String] { fields[values: .setCookie] }
    /// Names of the cookies that are taken away.
    var expiredCookies: [String] {
        setCookies.filter { $0.contains("Max-Age=0") }.map { String($0.prefix { $0 != "=" }) }
    }
    /// `200`, or the status with the code of the error.
    var outcome: String { error.map { "\(status) \($0)" } ?? "\(status)" }
}
