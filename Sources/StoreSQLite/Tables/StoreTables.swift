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

    init(of tenant: String, limits: StoreLimits, _ seal: RecordSeal, _ heads: WaitingHeads, _ health: StoreHealth) {
        func table<Record>(_ name: TableName, _ limit: Int) -> Table<Record> {
            Table(name, of: tenant, limit: limit, seal, heads, health)
        }
        codes = table(.codes, limits.shortLived)
        families = table(.families, limits.families)
        logins = table(.logins, limits.logins)
        accessTokens = table(.accessTokens, limits.accessTokens)
        revokedAccessTokens = table(.revokedAccessTokens, limits.revokedAccessTokens)
        spent = table(.spent, limits.shortLived)
        pushedRequests = table(.pushedRequests, limits.requests)
        devices = table(.devices, limits.shortLived)
        userCodes = table(.userCodes, limits.shortLived)
        consents = table(.consents, limits.consents)
        interactions = table(.interactions, limits.requests)
        registrations = table(.registrations, limits.registrations)
        stays = table(.stays, limits.stays)
    }
}
