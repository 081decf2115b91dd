import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// A provider with clients that sign out in every way, and a browser.
struct LogoutSetup {
    let idp: ProviderUnderTest
    let outbound: RecordedRequests
    let browser: Browser

    init(
        _ more: [Client] = [], outbound: RecordedRequests = RecordedRequests(),
        store: (any ProviderStore)? = nil,
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) async throws {
        idp = try await ProviderUnderTest(
            clients: StandardClients.all() + Self.clients() + more, users: StandardUsers.all(), outbound: outbound,
            store: store, configure: configure)
        self.outbound = outbound
        browser = Browser(idp)
    }

    static let goodbye = "https://rp.example/bye?from=idp"
    static let backChannel = "https://rp.example/backchannel?tenant=1"

    /// `rp` is told by its server; `other` has another redirect of its own; `symmetric` verifies its ID tokens with its
    /// secret; `quiet` is told nothing.
    private static func clients() throws -> [Client] {
        try [
            .underTest("rp") { metadata in
                metadata.name = "Reading room"
                metadata.postLogoutRedirectURIs = try [RedirectURI(goodbye), RedirectURI("http://127.0.0.1/bye")]
                metadata.backChannelLogoutURI = backChannel
            },
            .underTest("other") { metadata in
                metadata.postLogoutRedirectURIs = [try RedirectURI("https://other.example/bye")]
                metadata.backChannelLogoutURI = "https://other.example/backchannel"
            },
            .underTest("symmetric", secret: secret) { metadata in
                metadata.idTokenAlgorithm = .hs256
                metadata.postLogoutRedirectURIs = [try RedirectURI(goodbye)]
                metadata.backChannelLogoutURI = "https://symmetric.example/backchannel"
            },
            .underTest("quiet"),
        ]
    }

    static let secret = "a secret of at least thirty-two bytes"

    /// What a client got.
    struct Tokens: Sendable {
        let client: String
        let access: String
        let refresh: String
        let id: String
    }

    /// Signs in with the browser, and redeems the code.
    func signIn(
        _ client: String = "rp", as user: String = "alice", _ changes: [String: String?] = [:],
        with browser: Browser? = nil, path: String = ""
    ) async throws -> Tokens {
        let code = try await code(client, as: user, changes, with: browser)
        return try await redeem(code, for: client)
    }

    func code(
        _ client: String = "rp", as user: String = "alice", _ changes: [String: String?] = [:],
        with browser: Browser? = nil
    ) async throws -> String {
        let query = AuthorizationQuery(["client_id": client].merging(changes) { $1 })
        let page = try await (browser ?? self.browser).signIn(query, as: user)
        return try #require(page.parameters["code"], "\(page.parameters) \(page.text)")
    }

    func redeem(_ code: String, for client: String) async throws -> Tokens {
        let answer =
            client == "symmetric"
            ? await idp.redeem(code, ["client_id": nil], basic: "symmetric:" + Self.secret.encodedForBasic)
            : await idp.redeem(code, ["client_id": client])
        return try Tokens(
            client: client, access: answer.text("access_token"), refresh: answer.text("refresh_token"),
            id: answer.text("id_token"))
    }

    /// Goes to the logout endpoint, as a client sends its user there.
    func logOut(_ parameters: [String: String] = [:], with browser: Browser? = nil) async throws -> BrowserPage {
        try await (browser ?? self.browser).open(Self.path(parameters))
    }

    static func path(_ parameters: [String: String]) -> String {
        guard !parameters.isEmpty else { return "/logout" }
        return "/logout?" + FormParameters(parameters.map { ($0.key, $0.value) }).encoded
    }

    /// Whether somebody is signed in, as a client finds out.
    func isSignedIn(_ browser: Browser? = nil) async throws -> Bool {
        let page = try await (browser ?? self.browser).authorize(["prompt": "none"])
        if page.parameters["error"] == "login_required" { return false }
        // Of several accounts none goes without saying.
        return page.parameters["code"] != nil || page.parameters["error"] == "account_selection_required"
    }

    /// That nothing came of a request but a page that says why.
    func expectRefusal(
        _ page: BrowserPage, status: Int = 400, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(page.status == status, "\(page.text)", sourceLocation: sourceLocation)
        #expect(page.location == nil, sourceLocation: sourceLocation)
        #expect(page.isHTML, sourceLocation: sourceLocation)
        #expect(page.form == nil, sourceLocation: sourceLocation)
        #expect(try await isSignedIn(), "nobody is signed out without being asked", sourceLocation: sourceLocation)
        #expect(outbound.sent.isEmpty, sourceLocation: sourceLocation)
    }
}

extension BrowserPage {
    var asksWhetherToSignOut: Bool { status == 200 && content(of: "h1") == "Sign out?" }
    var saysSignedOut: Bool { status == 200 && content(of: "h1") == "You are signed out" }
}

extension String {
    /// RFC 6749 section 2.3.1: credentials are form-encoded before they are put together.
    fileprivate var encodedForBasic: String {
        String(FormParameters([("x", self)]).encoded.dropFirst(2))
    }
}
