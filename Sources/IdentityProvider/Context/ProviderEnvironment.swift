import HTTPMessages
import Observability
import Primitives

/// What a provider is handed: time, randomness, storage and the way out. It has nothing else.
package struct ProviderEnvironment: Sendable {
    package var clock: any WallClock
    package var random: any RandomSource
    package var keySupply: any KeySupply
    /// What a tenant remembers in; `nil`: the provider at the root.
    package var makeStore: @Sendable (TenantName?) -> any ProviderStore
    /// What a tenant's secrets follow from, its refresh tokens among them. Whoever keeps what a provider remembers has to
    /// keep this too.
    package var makeSecret: @Sendable (TenantName?) -> Secret = { _ in
        Secret(randomByteCount: 32, from: SystemRandom())
    }
    package var outbound: any OutboundRequests
    package var logger: Logger
    package var metrics: MetricsRegistry
    /// Ends what waits.
    package var alarm: any Alarm = NoAlarm()
    /// Where signatures are made together.
    package var batches: any Batching = NoBatching()
    /// Asked at every checkpoint that a request passes.
    package var checkpointListener: (any CheckpointListener)?
    /// Tenants at once. Anybody can make one up, and each costs memory and keys.
    package var maximumTenantCount = 10_000
    /// What whoever runs the provider answers beside it.
    package var describeNeighbours: @Sendable (inout OpenAPIDocument) -> Void = { _ in }

    package init(
        clock: any WallClock, random: any RandomSource, keySupply: any KeySupply,
        makeStore: @escaping @Sendable () -> any ProviderStore = { MemoryStore() },
        outbound: any OutboundRequests = .none,
        logger: Logger = .silent, metrics: MetricsRegistry = MetricsRegistry()
    ) {
        self.clock = clock
        self.random = random
        self.keySupply = keySupply
        self.makeStore = { _ in makeStore() }
        self.outbound = outbound
        self.logger = logger
        self.metrics = metrics
    }
}
