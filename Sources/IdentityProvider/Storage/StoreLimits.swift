/// How many entries of each kind a store keeps, for each tenant. A store that is full refuses what is new, and the client may
/// try again when something has expired: memory has an end, as the disk has, and nobody outside may decide where it is.
package struct StoreLimits: Sendable {
    /// Of each kind that is short-lived and that strangers can cause: more are no honest load.
    package var shortLived = 1_000_000
    /// Of interactions, and of pushed requests: each holds a whole request, of up to 16 KiB, and costs whoever begins
    /// it next to nothing.
    package var requests = 131_072
    /// What a user authorised lasts for weeks, and every client that may log users in can begin more of it: some
    /// hundred bytes each.
    package var families: Int
    /// As families, of which each login has one or more.
    package var logins: Int
    /// Opaque tokens: each answer of the token endpoint keeps one, until it expires.
    package var accessTokens = 4_000_000
    /// Each holds until its token would have expired; whoever has a token can cause one.
    package var revokedAccessTokens = 4_000_000
    /// They do not expire. There is one for a user and a client at most, and clients can register themselves.
    package var consents = 1_000_000
    /// Clients that registered themselves. There are no more in memory either.
    package var registrations = ClientRegistry.maximumCount
    /// Users and clients that are there, each at most as often as in memory, and two counters.
    package var stays = ClientRegistry.maximumCount + UserDirectory.maximumCount + 2
    /// Bytes of all tenants together, for an engine that has a disk; `nil`: as many as that has.
    package var databaseBytes: Int64?

    /// - Parameter lasting: families, and logins.
    private init(lasting: Int) {
        families = lasting
        logins = lasting
    }

    /// All of them together stay within a few GiB.
    package static let inMemory = Self(lasting: 4_000_000)
    package static let onDisk = Self(lasting: 16_000_000)
}
