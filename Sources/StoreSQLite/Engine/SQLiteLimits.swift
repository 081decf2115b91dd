/// How many rows of each kind are kept, for each tenant. A store that is full refuses what is new: the disk has an end, and
/// nobody outside may decide where it is. They are those of the store in memory, where families and logins have more room.
package struct SQLiteLimits: Sendable {
    /// Of each kind that is short-lived and that strangers can cause.
    package var shortLived = 1_000_000
    /// Of interactions, and of pushed requests, of up to 16 KiB each.
    package var requests = 131_072
    /// Some hundred bytes each, for weeks.
    package var families = 16_000_000
    package var logins = 16_000_000
    package var accessTokens = 4_000_000
    package var revokedAccessTokens = 4_000_000
    package var consents = 1_000_000
    /// Bytes of the database; `nil`: as many as the disk has.
    package var databaseBytes: Int64?

    package init() {}
}
