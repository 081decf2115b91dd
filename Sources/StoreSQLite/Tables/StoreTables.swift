import IdentityProvider
import Primitives

/// Every table of one tenant, with when its records may be forgotten. The same as in the store that is in memory.
struct StoreTables: Sendable {
    let codes: Table<AuthorizationCode>
    let families: Table<Family>
    let logins: Table<Login>
    let accessTokens: Table<AccessTokenRecord>
    let revokedAccessTokens: Table<ExpiryRecord>
    let spent: Table<ExpiryRecord>
    let pushedRequests: Table<PushedRequest>
    let devices: Table<DeviceAuthorization>
    let userCodes: Table<UserCodeRecord>
    let consents: Table<RememberedConsent>
    let interactions: Table<Interaction>

    init(of tenant: String, limits: SQLiteLimits) {
        let retention = MemoryStore.retention
        codes = Table(.codes, of: tenant, limit: limits.shortLived) { $0.expires }
        families = Table(.families, of: tenant, limit: limits.families) { family in
            family.terms.expires.map { $0 + retention }
        }
        logins = Table(.logins, of: tenant, limit: limits.logins) { $0.neededUntil + retention }
        accessTokens = Table(.accessTokens, of: tenant, limit: limits.accessTokens) { $0.facts.expires }
        revokedAccessTokens = Table(.revokedAccessTokens, of: tenant, limit: limits.revokedAccessTokens) { $0.moment }
        spent = Table(.spent, of: tenant, limit: limits.shortLived) { $0.moment }
        pushedRequests = Table(.pushedRequests, of: tenant, limit: limits.requests) { $0.expires }
        devices = Table(.devices, of: tenant, limit: limits.shortLived) { $0.expires + retention }
        userCodes = Table(.userCodes, of: tenant, limit: limits.shortLived) { $0.expires }
        consents = Table(.consents, of: tenant, limit: limits.consents) { _ in nil }
        interactions = Table(.interactions, of: tenant, limit: limits.requests) { $0.expires }
    }
}
