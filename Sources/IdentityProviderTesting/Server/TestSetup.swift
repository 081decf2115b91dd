import IdentityProvider
import OAuth

/// What a provider begins with.
///
///     let setup = TestSetup(
///         users: [TestUser("carol", claims: ["roles": ["admin"]])],
///         clients: [.publicApp("app", redirectURI: "http://127.0.0.1/callback")],
///         accessTokenLifetime: .seconds(1))
///     try await withIdentityProvider(setup) { idp in
///         print(idp.users.all.map(\.username))        // carol
///     }
public struct TestSetup: Hashable, Sendable {
    /// `nil`: alice, bob, minji and haruto, whose passwords are their names.
    public var users: [TestUser]?
    /// `nil`: `web` and `native`, which are public, and `service`, whose secret is `secret` and which may do everything.
    public var clients: [TestClient]?
    /// What signs tokens.
    public var algorithm: TestAlgorithm
    /// In whole seconds.
    public var accessTokenLifetime: Duration
    /// From the authorisation on.
    public var refreshTokenLifetime: Duration
    /// What becomes of a refresh token that is used, and of one that comes back: the rules of a provider by name, and
    /// knobs that are turned, such as `okta,window=5s`. A client may have others, as `rotation` of its metadata.
    public var rotation: String
    /// What no real provider may allow.
    public var allowances: Set<Allowance>
    /// What RFC 9700 advises against, and old applications still use.
    public var legacy: Set<Legacy>
    /// How many of the last requests are kept; zero: none.
    public var recordedRequests: Int

    /// A provider with what is there without any configuration, except for what is given.
    ///
    ///     let strict = TestSetup(clients: [], allowances: [])
    public init(
        users: [TestUser]? = nil, clients: [TestClient]? = nil, algorithm: TestAlgorithm = .es256,
        accessTokenLifetime: Duration = .seconds(300), refreshTokenLifetime: Duration = .seconds(30 * 86_400),
        rotation: String = "strict", allowances: Set<Allowance> = [], legacy: Set<Legacy> = [],
        recordedRequests: Int = 1000
    ) {
        self.users = users
        self.clients = clients
        self.algorithm = algorithm
        self.accessTokenLifetime = accessTokenLifetime
        self.refreshTokenLifetime = refreshTokenLifetime
        self.rotation = rotation
        self.allowances = allowances
        self.legacy = legacy
        self.recordedRequests = recordedRequests
    }

    /// What no real provider may allow, and a test may want.
    ///
    ///     let open = TestSetup(allowances: [.anyClient, .automaticLogin])
    public enum Allowance: Hashable, Sendable, CaseIterable {
        /// Clients that nobody registered are taken as they come.
        case anyClient
        /// Whoever logs in is taken for a user, by any name and with any password.
        case anyUser
        /// Nobody is asked who he is: the user of `login_hint` is logged in, or else the first one.
        case automaticLogin
    }

    /// What RFC 9700 advises against.
    ///
    ///     let old = TestSetup(legacy: [.password, .implicit])
    public enum Legacy: Hashable, Sendable, CaseIterable {
        /// The password grant.
        case password
        /// Response types that give tokens and no code.
        case implicit
        /// Response types that give a code and tokens.
        case hybrid
        /// Code challenges that are the verifier itself.
        case plainChallenge
    }
}

extension TestSetup {
    func configuration() throws(IdentityProviderTestingError) -> ProviderConfiguration {
        var configuration = ProviderConfiguration(
            accessTokens: AccessTokenPolicy(algorithm: algorithm.algorithm, lifetime: accessTokenLifetime))
        configuration.lifetimes.refreshTokens = refreshTokenLifetime
        configuration.recordedRequests = recordedRequests
        do throws(RotationPolicy.TextError) { configuration.rotation = try RotationPolicy(parsing: rotation) } catch {
            throw IdentityProviderTestingError(.badConfiguration, "rotation: \(error)")
        }
        for allowance in allowances {
            switch allowance {
            case .anyClient: configuration.allowances.insert(.anyClient)
            case .anyUser: configuration.allowances.insert(.anyUser)
            case .automaticLogin: configuration.allowances.insert(.automaticLogin)
            }
        }
        configuration.legacy = Set(legacy.map(\.feature))
        do throws(ProviderConfigurationError) {
            configuration.users = try StandardUsers.all()
            configuration.clients = try StandardClients.all()
        } catch {
            throw IdentityProviderTestingError(.badConfiguration, error.description)
        }
        if let users {
            configuration.users = try users.map { (user) throws(IdentityProviderTestingError) in try user.user() }
        }
        if let clients {
            let legacy = configuration.legacy
            configuration.clients = try clients.map { (client) throws(IdentityProviderTestingError) in
                try client.client(legacy: legacy)
            }
        }
        do { try configuration.check() } catch {
            throw IdentityProviderTestingError(.badConfiguration, error.description)
        }
        return configuration
    }
}

extension TestSetup.Legacy {
    fileprivate var feature: LegacyFeature {
        switch self {
        case .password: .password
        case .implicit: .implicit
        case .hybrid: .hybrid
        case .plainChallenge: .plainChallenge
        }
    }
}
