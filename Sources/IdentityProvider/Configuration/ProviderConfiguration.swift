import JOSE
import OAuth
import Primitives

/// Everything about a provider that can be chosen.
package struct ProviderConfiguration: Sendable {
    package var issuer: IssuerPolicy
    package var clients: [Client]
    package var users: [User]
    package var accessTokens: AccessTokenPolicy {
        didSet { idTokens.follow(accessTokens.algorithm) }
    }
    package var idTokens: IDTokenPolicy
    package var lifetimes = Lifetimes()
    package var rotation = RotationPolicy.strict
    package var crossOrigin: CrossOriginPolicy
    package var allowances: Allowances = []
    package var legacy: Set<LegacyFeature> = []
    package var signIn = SignInPolicy()
    package var clientSecrets = ClientSecretPolicy()
    package var registration = RegistrationPolicy.open
    package var accessTokenRevocation = AccessTokenRevocation.tokenAlone
    /// Put over the members of the discovery document; null takes one away. What is said there need not be true any more.
    package var metadataOverrides: JSONObject = [:]
    package var proofs = ProofPolicy()
    /// RFC 9126 section 5: whether authorization requests must be pushed, whatever the client registered.
    package var requiresPushedRequests = false
    package var control = ControlPolicy.loopback
    /// How many of the last requests are kept, for whoever looks at them through the control API; zero: none.
    package var recordedRequests = 1000
    /// What pairwise subjects are made with. Known to everybody unless it is chosen; the same after a restart.
    package var pairwiseSalt = Secret(utf8: "pawl")
    /// Values of `acr` that a login may be said to have reached, the one of a plain login first.
    package var contextClasses = ["urn:pawl:acr:password"]
    /// Whose assertions about users are believed, besides those that a client signs itself (RFC 7523 section 2.1).
    package var trustedIssuers: [TrustedIssuer] = []
    /// RFC 8705 section 5: the port where client certificates are asked for, if there is one.
    package var mutualTLSPort: UInt16?
    /// Where everybody else goes, and so what an issuer that follows the host is at that port too; `nil`: nowhere else.
    package var ordinaryEntrance: OrdinaryEntrance?
    /// A PEM file of authorities that are trusted besides those of the system, for requests of the provider's own. Read by
    /// whoever hands in the way out; nothing here reads files.
    package var outboundAuthorities: String?
    /// Put over the claims of every token and every answer about a user.
    package var claimRules = ClaimRules.none

    package init(
        issuer: IssuerPolicy = .followsHost, clients: [Client] = [], users: [User] = [],
        accessTokens: AccessTokenPolicy, idTokens: IDTokenPolicy? = nil, crossOrigin: CrossOriginPolicy = .loopback
    ) {
        self.issuer = issuer
        self.clients = clients
        self.users = users
        self.accessTokens = accessTokens
        self.idTokens = idTokens ?? IDTokenPolicy(following: accessTokens.algorithm)
        self.crossOrigin = crossOrigin
    }

    /// A hundred years: beyond it, seconds are surely a mistake for something else.
    package static let maximumTokenLifetimeSeconds: Int64 = 3_155_760_000

    /// What must hold before a provider starts.
    package func check() throws(ProviderConfigurationError) {
        for lifetime in [accessTokens.lifetime, idTokens.lifetime] + lifetimes.all {
            guard lifetime >= .seconds(1), lifetime <= .seconds(Self.maximumTokenLifetimeSeconds),
                lifetime == .seconds(lifetime.inSeconds)
            else { throw .badTokenLifetime }
        }
        guard (0...RequestRecords.maximumCapacity).contains(recordedRequests) else { throw .badRecordCount }
        if case .fixed(let audiences) = accessTokens.audience, audiences.isEmpty || audiences.contains("") {
            throw .noAudience
        }
        for (index, issuer) in trustedIssuers.enumerated() {
            let isTwice = trustedIssuers[..<index].contains { sameText($0.identifier, issuer.identifier) }
            guard !issuer.identifier.isEmpty, !issuer.keys.keys.isEmpty, !isTwice else {
                throw .badTrustedIssuer(issuer.identifier)
            }
        }
    }

    /// The algorithms whose keys must be there before the first request.
    package var algorithms: Set<SignatureAlgorithm> {
        var algorithms: Set = [accessTokens.algorithm]
        if !idTokens.algorithm.isSymmetric { algorithms.insert(idTokens.algorithm) }
        for client in clients { algorithms.formUnion(client.algorithms) }
        return algorithms
    }
}

extension SignatureAlgorithm {
    /// What signs ID tokens where nobody says it: the algorithm of access tokens, unless that needs a secret. An HMAC of
    /// an ID token is made with the client's own secret (OpenID Connect Core section 10.1), and most clients have none, or
    /// one that is too short.
    package static func following(_ algorithm: SignatureAlgorithm) -> SignatureAlgorithm {
        algorithm.isSymmetric ? .rs256 : algorithm
    }
}

extension Client {
    /// The algorithms that tokens for this client are signed with, by keys of the provider's own.
    package var algorithms: Set<SignatureAlgorithm> {
        var algorithms: Set<SignatureAlgorithm> = []
        if let algorithm = metadata.accessTokenAlgorithm { algorithms.insert(algorithm) }
        for algorithm in [metadata.idTokenAlgorithm, metadata.userInfoAlgorithm] {
            if let algorithm, !algorithm.isSymmetric { algorithms.insert(algorithm) }
        }
        return algorithms
    }
}
