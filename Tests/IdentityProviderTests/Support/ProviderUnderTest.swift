import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Observability
import Primitives
import TestSupport

/// A provider in memory, with a clock that stands still and a log that can be read.
struct ProviderUnderTest {
    let provider: IdentityProvider
    let keyRing: KeyRing
    let clock = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000))
    let log = MemoryLogSink()
    let metrics = MetricsRegistry()

    static let host = "localhost:8080"
    static let issuer = "http://localhost:8080"

    init(
        issuer: IssuerPolicy = .followsHost, clients: [Client]? = nil, users: [User] = [], key: SigningKey? = nil,
        lifetime: Duration = .seconds(300), audience: AccessTokenPolicy.Audience = .issuer,
        crossOrigin: CrossOriginPolicy = .loopback, outbound: any OutboundRequests = .none,
        store: (any ProviderStore)? = nil, alarm: any Alarm = NoAlarm(), batches: any Batching = NoBatching(),
        listener: (any CheckpointListener)? = nil, keySupply: (any KeySupply)? = nil,
        secret: Secret? = nil,
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) async throws {
        let key = try key ?? .generate(.es256)
        let policy = KeyRingPolicy(longestTokenLifetime: lifetime)
        var state = KeyRing.State()
        try state.rotate(to: key, at: clock.now(), by: policy)
        keyRing = KeyRing(restoring: state, policy: policy, at: clock.now())
        var configuration = ProviderConfiguration(
            issuer: issuer, clients: try clients ?? .underTest(), users: users,
            accessTokens: AccessTokenPolicy(algorithm: key.algorithm, lifetime: lifetime, audience: audience),
            crossOrigin: crossOrigin)
        configuration.idTokens.algorithm = key.algorithm
        configure(&configuration)
        var environment = ProviderEnvironment(
            clock: clock, random: SeededRandom(seed: 1),
            keySupply: keySupply ?? ImmediateKeySupply(policy: policy),
            makeStore: { store ?? MemoryStore() }, outbound: outbound,
            logger: Logger(level: .debug, format: .json, sink: log, clock: clock), metrics: metrics)
        environment.alarm = alarm
        environment.batches = batches
        environment.checkpointListener = listener
        if let secret { environment.makeSecret = { _ in secret } }
        provider = try await IdentityProvider(
            configuration: configuration, environment: environment, keyRing: keyRing)
    }

    var context: ProviderContext { provider.root.context }

    func respond(
        _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = [:], body: [UInt8] = [],
        host: String? = ProviderUnderTest.host, isEncrypted: Bool = false
    ) async -> Answer {
        let head = HTTPRequest(method: method, scheme: nil, authority: host, path: path, headerFields: fields)
        let peer = ServerRequest.Peer(address: "127.0.0.1", isLoopback: true, isEncrypted: isEncrypted)
        return Answer(await provider.respond(to: ServerRequest(head: head, body: body, peer: peer, id: "r-1")))
    }

    func get(_ path: String, _ fields: HTTPFields = [:], host: String? = ProviderUnderTest.host) async -> Answer {
        await respond(.get, path, fields, host: host)
    }

    /// A token request as `curl -d` sends it.
    func token(
        _ form: String, basic: String? = nil, authorization: String? = nil,
        contentType: String? = "application/x-www-form-urlencoded", path: String = "/token",
        also fields: HTTPFields = [:]
    ) async -> Answer {
        var fields = fields
        if let basic { fields[.authorization] = "Basic " + Base64.encode(Array(basic.utf8)) }
        if let authorization { fields[.authorization] = authorization }
        fields[.contentType] = contentType
        return await respond(.post, path, fields, body: Array(form.utf8))
    }

    /// The token that the standard client gets.
    func accessToken(_ form: String = "grant_type=client_credentials") async throws -> String {
        try await token(form, basic: "service:secret").text("access_token")
    }

    /// What a resource server does that knows the provider by its URLs alone.
    func verified(
        _ token: String, issuer: String = ProviderUnderTest.issuer, audience: String = ProviderUnderTest.issuer
    ) async throws -> VerifiedJWT {
        let keys = VerificationKeySet(try JWKSet(parsing: await get("/jwks.json").body.span))
        return try JWTPolicy.accessToken(issuer: issuer, audience: audience)
            .verify(token, keys: keys, at: clock.now())
    }
}

extension [Client] {
    /// `service` may do everything; `reader` may read and write, and reads unless it says otherwise; `idle` may use no
    /// grant at all; `odd` has what must be encoded.
    static func underTest() throws -> [Client] {
        let grants: Set<String> = ["client_credentials"]
        return try [
            Client(id: "service", secret: Secret(utf8: "secret"), grants: grants),
            Client(
                id: "reader", secret: Secret(utf8: "secret"), grants: grants,
                scopes: .listed(Scope(parsing: "read write")), defaultScope: Scope(parsing: "read")),
            Client(id: "idle", secret: Secret(utf8: "secret"), grants: []),
            Client(id: "odd:id", secret: Secret(utf8: "p+q%r s&t=u:v"), grants: grants),
        ]
    }
}
