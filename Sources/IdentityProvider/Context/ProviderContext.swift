import HTTPMessages
import JOSE
import Observability
import OAuth
import Primitives
import Synchronization

/// What the parts of one provider share: who is known to it, what it remembers, and what it was handed.
package final class ProviderContext: Sendable {
    /// `nil`: the provider at the root.
    package let tenant: TenantName?
    package let clients: ClientRegistry
    package let users: UserDirectory
    private let engine: any ProviderStore
    private let watchedStore: any ProviderStore
    package let keyRing: KeyRing
    package let keySupply: any KeySupply
    package let clock: AdjustableClock
    package let random: any RandomSource
    package let secrets: ProviderSecrets
    package let overrides = ResponseOverrides()
    package let nextLoginClaims = NextLoginClaims()
    let departures = Departures()
    package let requests: RequestRecords
    package let checkpoints: Checkpoints
    /// For requests of the provider's own.
    package let outbound: any OutboundRequests
    let clientKeys: ClientKeySets
    let proofNonces: ProofNonces
    /// One for every place where a password is looked at.
    let loginThrottle = LoginThrottle()
    let secretThrottle = SecretThrottle()
    package let logger: Logger
    package let metrics: MetricsRegistry
    let signer: TokenSigner
    let batches: any Batching
    package let refreshTokens: RefreshTokenCodec
    private let settings: Mutex<Settings>
    /// What the store has of everybody's stays, by their keys.
    let keptStays = Mutex<[String: StayRecord]>([:])
    private let forgetting = Mutex<[@Sendable () -> Void]>([])

    /// Immutable and shared, so that reading it is one look under the lock.
    private final class Settings: Sendable {
        let configuration: ProviderConfiguration
        /// What a reset goes back to: with what the provider was made, or what was read last.
        let configured: ProviderConfiguration
        let subjects: SubjectIdentifiers
        let version: Int

        init(_ configuration: ProviderConfiguration, configured: ProviderConfiguration, version: Int = 0) {
            self.configuration = configuration
            self.configured = configured
            self.version = version
            subjects = SubjectIdentifiers(salt: configuration.pairwiseSalt)
        }
    }

    package init(
        configuration: ProviderConfiguration, keyRing: KeyRing, environment: ProviderEnvironment, secret: Secret,
        tenant: TenantName? = nil
    ) throws(ProviderConfigurationError) {
        try configuration.check()
        self.tenant = tenant
        for algorithm in configuration.algorithms where !keyRing.canSign(with: algorithm) { throw .noKey(algorithm) }
        clients = try ClientRegistry(configuration.clients)
        users = try UserDirectory(configuration.users)
        self.keyRing = keyRing
        keySupply = environment.keySupply
        let clock = AdjustableClock(following: environment.clock)
        self.clock = clock
        let checkpoints = Checkpoints(
            alarm: environment.alarm, clock: clock, listener: environment.checkpointListener,
            logger: environment.logger)
        self.checkpoints = checkpoints
        clock.onMove { [weak checkpoints] moment, isFrozen in
            checkpoints?.events.record(.moved(to: moment, isFrozen: isFrozen))
        }
        let engine = environment.makeStore(tenant)
        self.engine = engine
        watchedStore = WatchedStore(engine, checkpoints)
        random = environment.random
        secrets = ProviderSecrets(master: secret)
        outbound = environment.outbound
        clientKeys = ClientKeySets(outbound: environment.outbound)
        proofNonces = ProofNonces(secret: secrets.derived(for: "proof nonces"))
        logger = environment.logger
        metrics = environment.metrics
        requests = RequestRecords(capacity: configuration.recordedRequests, alarm: environment.alarm)
        batches = environment.batches
        signer = TokenSigner(keyRing: keyRing, batches: environment.batches)
        refreshTokens = RefreshTokenCodec(secret: secrets.derived(for: "refresh tokens"))
        settings = Mutex(Settings(configuration, configured: configuration))
    }

    /// What holds now. It may change between two requests, and never within one reading of it.
    ///
    /// Lent and not copied: whoever wants one member of it pays for that member alone.
    package var configuration: ProviderConfiguration {
        _read {
            let current = settings.withLock { $0 }
            yield current.configuration
        }
    }

    var subjects: SubjectIdentifiers { settings.withLock { $0 }.subjects }

    /// Changes what holds from now on. Clients and users are changed where they are, and the issuer not at all.
    ///
    /// - Parameter isForGood: whether a reset goes back to it too.
    package func configure(
        forGood isForGood: Bool = false,
        _ change: (inout ProviderConfiguration) throws(ProviderConfigurationError) -> Void
    ) throws(ProviderConfigurationError) {
        try settings.withLock { settings throws(ProviderConfigurationError) in
            var configuration = settings.configuration
            try change(&configuration)
            try configuration.check()
            settings = Settings(
                configuration, configured: isForGood ? configuration : settings.configured,
                version: settings.version + 1)
        }
    }

    /// Nobody waits for anything any longer: the provider ends.
    package func stopWaiting() {
        requests.stopWaiting()
        checkpoints.stopWaiting()
    }

    /// Has `body` called when everything that happened is to be forgotten. For what is remembered outside the store.
    func onReset(_ body: @escaping @Sendable () -> Void) {
        forgetting.withLock { $0.append(body) }
    }

    /// Goes back to the beginning: what was configured, or read last, holds again, and nothing has happened yet. Keys stay,
    /// for others keep them. A request that is being answered meanwhile may see some of both.
    package func reset() async throws(StoreError) {
        overrides.removeAll()
        nextLoginClaims.removeAll()
        requests.removeAll()
        checkpoints.reset()
        let configuration = settings.withLock { settings in
            var configuration = settings.configured
            // Where the provider is reached is no part of what happened.
            configuration.mutualTLSPort = settings.configuration.mutualTLSPort
            configuration.ordinaryEntrance = settings.configuration.ordinaryEntrance
            settings = Settings(configuration, configured: configuration, version: settings.version + 1)
            return configuration
        }
        users.replaceAll(by: configuration.users)
        clients.replaceAll(by: configuration.clients)
        loginThrottle.removeAll()
        secretThrottle.removeAll()
        departures.removeAll()
        for forget in forgetting.withLock({ $0 }) { forget() }
        clock.reset()
        try await store.removeAll()
        keptStays.withLock { $0 = [:] }
        try await keepStays()
    }

    /// The engine itself, unless somebody wants to hear what it does, or wants it to fail.
    package var store: any ProviderStore { checkpoints.isWatched ? watchedStore : engine }

    /// Grows whenever something changes that the provider says of itself in its metadata.
    var descriptionVersion: Int { settings.withLock { $0 }.version + clients.version }

    /// Makes sure that a key signs with each algorithm.
    package func prepareKeys(for algorithms: Set<SignatureAlgorithm>) async throws(KeySupplyError) {
        for algorithm in algorithms where !keyRing.canSign(with: algorithm) {
            try await keySupply.addKey(for: algorithm, to: keyRing, at: clock.now())
        }
    }

    /// Uses the store; what it cannot do now, the client may try again.
    ///
    /// Part of whoever calls it: each asynchronous function is entered and left by a look at where its task has to run, which
    /// takes a lock, and on its way a token request passes dozens.
    @inline(__always)
    func storing<Result: Sendable>(
        _ body: (any ProviderStore) async throws(StoreError) -> Result
    ) async throws(OAuthError) -> Result {
        do {
            return try await body(store)
        } catch {
            throw OAuthError(.temporarilyUnavailable, "try again in a moment", cause: error.description)
        }
    }
}
