import IdentityProvider
import OAuth
import Primitives
import Synchronization

/// An identity provider that runs for the length of a test.
///
///     try await withIdentityProvider { idp in
///         try idp.users.add(TestUser("carol", claims: ["email": "carol@example.com"]))
///         let metadata = idp.url("/.well-known/openid-configuration")
///         print(metadata)                             // http://127.0.0.1:49152/.well-known/openid-configuration
///     }
public final class TestIdentityProvider: Sendable {
    /// The URL that tokens carry as `iss`, and below which the endpoints are.
    ///
    ///     let issuer = idp.issuer                     // http://127.0.0.1:49152
    public let issuer: String
    let server: TestServer
    let tenant: Tenant
    private let handedOut = Mutex<Set<Int>>([])

    init(_ server: TestServer, _ tenant: Tenant? = nil) {
        self.server = server
        self.tenant = tenant ?? server.provider.root
        issuer = "http://\(server.authority)" + (tenant?.name.map { "/t/\($0.text)" } ?? "")
    }

    var context: ProviderContext { tenant.context }

    /// The URL of a path below the issuer.
    ///
    ///     let token = idp.url("/token")
    public func url(_ path: String) -> String { issuer + path }

    /// What the provider says of itself (RFC 8414, OpenID Connect Discovery).
    ///
    ///     let endpoint = idp.discovery["token_endpoint"]?.string
    public var discovery: [String: JSONValue] {
        [String: JSONValue]((try? tenant.metadata(reachedBy: server.authority)) ?? [:])
    }

    /// Those who can log in.
    ///
    ///     try idp.users.add(TestUser("carol"))
    public var users: TestUsers { TestUsers(context: context) }

    /// The applications that may ask for tokens.
    ///
    ///     try await idp.clients.add(.confidential("backend", secret: "s3cret"))
    public var clients: TestClients { TestClients(context: context) }

    /// What time it is for the provider.
    ///
    ///     idp.clock.advance(by: .seconds(3600))
    public var clock: TestClock { TestClock(clock: context.clock) }

    /// Puts claims into the next `count` logins of a user, or of anybody: into every token that follows from them.
    ///
    ///     idp.claimsOfNextLogin(["roles": ["auditor"]], for: "alice")
    public func claimsOfNextLogin(_ claims: [String: JSONValue], for username: String? = nil, count: Int = 1) {
        _ = context.nextLoginClaims.set(JSONObject(claims), for: username, count: count)
    }

    /// Forgets everything that has happened: users, clients and the clock are as at the start. Keys stay.
    ///
    ///     try await idp.reset()
    public func reset() async throws(IdentityProviderTestingError) {
        handedOut.withLock { $0 = [] }
        do throws(StoreError) { try await tenant.reset() } catch {
            throw IdentityProviderTestingError(.refused, error.description)
        }
    }
}

// MARK: - Requests

extension TestIdentityProvider {
    /// The last requests, the oldest first.
    ///
    ///     let refreshes = idp.requests.filter { $0.grantType == "refresh_token" }
    public var requests: [RecordedRequest] { context.requests.records().map { RecordedRequest($0) } }

    /// Forgets the requests that came. Their numbers go on.
    ///
    ///     idp.forgetRequests()
    public func forgetRequests() { context.requests.removeAll() }

    /// The next request that fits: the first that none of these calls has given back before, whether it has come already
    /// or is still to come.
    ///
    ///     let request = try await idp.nextRequest(matching: .path("/token"))
    @discardableResult
    public func nextRequest(
        matching match: RequestMatch = .any, within bound: Duration = .seconds(10)
    ) async throws(IdentityProviderTestingError) -> RecordedRequest {
        while true {
            let found = try? await context.requests.first(within: bound) { [self] record in
                !handedOut.withLock { $0.contains(record.number) } && match.isWanted(RecordedRequest(record))
            }
            guard let found else {
                throw IdentityProviderTestingError(
                    .timedOut, "no such request came within \(bound); there were \(context.requests.lastNumber) in all")
            }
            // Somebody else may have taken it meanwhile.
            if handedOut.withLock({ $0.insert(found.number).inserted }) { return RecordedRequest(found) }
        }
    }
}

// MARK: - Tokens and sessions

extension TestIdentityProvider {
    /// The tokens that a client would have after a user has logged in and agreed, without a browser. They can be
    /// refreshed, revoked and introspected as any others.
    ///
    ///     let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid profile")
    public func tokens(
        for username: String, client: String, scope: String = "openid", nonce: String? = nil, resources: [String] = []
    ) async throws(IdentityProviderTestingError) -> TestTokens {
        var order = DirectMinting.Order(username: username, clientID: client, scope: scope)
        order.nonce = nonce
        order.resources = resources
        do throws(DirectMintingError) {
            return TestTokens(try await tenant.mint(order, reachedBy: server.authority))
        } catch {
            switch error {
            case .unknownUser: throw unknownUser(username)
            case .unknownClient:
                let names = context.clients.clients.prefix(20).map(\.id).joined(separator: ", ")
                throw IdentityProviderTestingError(.unknownClient, "there is no client \(client); there are \(names)")
            case .badScope(let text): throw IdentityProviderTestingError(.badScope, text)
            case .refused(let error): throw IdentityProviderTestingError(.refused, error.publicDescription)
            }
        }
    }

    func unknownUser(_ username: String) -> IdentityProviderTestingError {
        let names = context.users.users.prefix(20).map(\.username).joined(separator: ", ")
        return IdentityProviderTestingError(.unknownUser, "there is no user \(username); there are \(names)")
    }

    /// Signs any claims with the key of the provider, for tests of what a resource server refuses. Nothing is added.
    ///
    ///     let token = try await idp.sign(["iss": .string(idp.issuer), "sub": "alice", "exp": 1], type: "at+jwt")
    public func sign(
        _ claims: [String: JSONValue], type: String? = "JWT", algorithm: TestAlgorithm? = nil
    ) async throws(IdentityProviderTestingError) -> String {
        try await sign(claims, type: type, with: .active(algorithm))
    }

    /// What users have authorised, the newest first.
    ///
    ///     let sessions = try await idp.sessions()
    public func sessions() async throws(IdentityProviderTestingError) -> [TestSession] {
        do throws(OAuthError) {
            return try await SessionDirectory(context: context).families().map { TestSession($0) }
        } catch {
            throw IdentityProviderTestingError(.refused, error.publicDescription)
        }
    }

    /// Ends a session, or a login with all that was authorised in it: no refresh token of it is good any more, and no
    /// access token is active. `false` when there is neither.
    ///
    ///     let tokens = try await idp.tokens(for: "alice", client: "web")
    ///     try await idp.endSession(tokens.loginID)
    @discardableResult
    public func endSession(_ id: String) async throws(IdentityProviderTestingError) -> Bool {
        do throws(OAuthError) { return try await SessionDirectory(context: context).end(id) } catch {
            throw IdentityProviderTestingError(.refused, error.publicDescription)
        }
    }
}
