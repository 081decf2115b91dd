import IdentityProvider

/// Every table of one tenant. The same as in the store that is in memory.
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
    let registrations: Table<Registration>
    let stays: Table<StayRecord>

    init(of tenant: String, limits: StoreLimits) {
        codes = Table(.codes, of: tenant, limit: limits.shortLived)
        families = Table(.families, of: tenant, limit: limits.families)
        logins = Table(.logins, of: tenant, limit: limits.logins)
        accessTokens = Table(.accessTokens, of: tenant, limit: limits.accessTokens)
        revokedAccessTokens = Table(.revokedAccessTokens, of: tenant, limit: limits.revokedAccessTokens)
        spent = Table(.spent, of: tenant, limit: limits.shortLived)
        pushedRequests = Table(.pushedRequests, of: tenant, limit: limits.requests)
        devices = Table(.devices, of: tenant, limit: limits.shortLived)
        userCodes = Table(.userCodes, of: tenant, limit: limits.shortLived)
        consents = Table(.consents, of: tenant, limit: limits.consents)
        interactions = Table(.interactions, of: tenant, limit: limits.requests)
        registrations = Table(.registrations, of: tenant, limit: limits.registrations)
        stays = Table(.stays, of: tenant, limit: limits.stays)
    }
}
