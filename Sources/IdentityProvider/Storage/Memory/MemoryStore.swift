import OAuth
import Primitives

/// A store that ends with the process: fast, and empty at every start.
///
/// No verb waits for anything, so none is asynchronous: to enter and leave one that is takes a lock each time.
package final class MemoryStore: ProviderStore {
    private let codes: ShardedTable<TokenDigest, AuthorizationCode>
    private let familyTable: ShardedTable<FamilyID, Family>
    private let loginTable: ShardedTable<LoginID, Login>
    private let accessTokens: ShardedTable<TokenDigest, AccessTokenRecord>
    private let revokedAccessTokens: ShardedTable<ExactText, ExpiryRecord>
    private let spent: ShardedTable<OneTimeIdentifier, ExpiryRecord>
    private let pushedRequests: ShardedTable<TokenDigest, PushedRequest>
    private let devices: ShardedTable<TokenDigest, DeviceAuthorization>
    private let userCodes: ShardedTable<ExactText, UserCodeRecord>
    private let consents: ShardedTable<ConsentKey, RememberedConsent>
    private let interactions: ShardedTable<InteractionID, Interaction>

    private struct ConsentKey: Hashable, Sendable {
        let user: ExactText
        let client: ExactText
    }

    package init(limits: StoreLimits = .inMemory) {
        codes = Self.table(limits.shortLived)
        familyTable = Self.table(limits.families)
        loginTable = Self.table(limits.logins)
        accessTokens = Self.table(limits.accessTokens)
        revokedAccessTokens = Self.table(limits.revokedAccessTokens)
        spent = Self.table(limits.shortLived)
        pushedRequests = Self.table(limits.requests)
        devices = Self.table(limits.shortLived)
        userCodes = Self.table(limits.shortLived)
        consents = Self.table(limits.consents)
        interactions = Self.table(limits.requests)
    }

    private static func table<Key, Record: KeptRecord>(_ limit: Int) -> ShardedTable<Key, Record> {
        ShardedTable(maximumCount: limit) { $0.mayBeForgotten(at: $1) }
    }

    package func removeAll() throws(StoreError) {
        codes.removeAll()
        familyTable.removeAll()
        loginTable.removeAll()
        accessTokens.removeAll()
        revokedAccessTokens.removeAll()
        spent.removeAll()
        pushedRequests.removeAll()
        devices.removeAll()
        userCodes.removeAll()
        consents.removeAll()
        interactions.removeAll()
    }
}

// MARK: - Codes

extension MemoryStore {
    package func keep(_ code: AuthorizationCode, named digest: TokenDigest) throws(StoreError) {
        try codes.insert(code, for: digest, at: code.terms.began)
    }

    package func consumeCode(
        named digest: TokenDigest, at now: Timestamp, if judge: @Sendable (AuthorizationCode) -> Bool
    ) throws(StoreError) -> AuthorizationCode.Consumption? {
        try codes.change(digest) { AuthorizationCode.consume(&$0, at: now, if: judge) }
    }
}

// MARK: - Families and logins

extension MemoryStore {
    package func keep(_ family: Family) throws(StoreError) {
        try familyTable.insert(family, for: family.id, at: family.terms.began)
    }

    package func begin(_ family: Family) throws(StoreError) -> Family.Beginning {
        try familyTable.change(family.id, at: family.terms.began) { known in
            let beginning = Family.Beginning(of: family, beside: known)
            known = beginning.family
            return beginning
        }
    }

    package func family(_ id: FamilyID) throws(StoreError) -> Family? { familyTable[id] }

    package func judge<Verdict: Sendable>(
        _ id: FamilyID, by body: @Sendable (inout Family) -> Verdict
    ) throws(StoreError) -> Verdict? {
        try familyTable.change(id) { family in
            // Taken out and not copied, for nothing here throws.
            guard var found = family.take() else { return nil }
            let verdict = body(&found)
            family = found
            return verdict
        }
    }

    package func refresh<Verdict: Sendable>(
        _ id: FamilyID, by body: @Sendable (inout Family, _ login: Login?) -> RefreshOutcome<Verdict>
    ) throws(StoreError) -> Verdict? {
        // Nobody takes the lock of a family while he has one of the others.
        try familyTable.change(id) { family throws(StoreError) in
            // Copied and not taken out: it stays as it was where there is no room.
            guard var found = family else { return nil }
            let outcome = body(&found, found.terms.loginID.flatMap { loginTable[$0] })
            if let (token, digest) = outcome.accessToken {
                try accessTokens.insert(token, for: digest, at: token.facts.issuedAt)
            }
            if let (id, change) = outcome.login {
                try loginTable.change(id) { login in
                    guard var found = login.take() else { return }
                    change(&found)
                    login = found
                }
            }
            family = found
            return outcome.verdict
        }
    }

    package func families(
        where isWanted: @Sendable (Family) -> Bool, limit: Int
    ) throws(StoreError) -> [Family] {
        familyTable.values(where: isWanted, limit: limit)
    }

    package func keep(_ login: Login) throws(StoreError) {
        try loginTable.insert(login, for: login.id, at: login.authentication.moment)
    }

    package func login(_ id: LoginID) throws(StoreError) -> Login? { loginTable[id] }

    package func change<Result: Sendable>(
        _ id: LoginID, by body: @Sendable (inout Login) -> Result
    ) throws(StoreError) -> Result? {
        try loginTable.change(id) { login in
            guard var found = login.take() else { return nil }
            let result = body(&found)
            login = found
            return result
        }
    }

    package func logins(where isWanted: @Sendable (Login) -> Bool, limit: Int) throws(StoreError) -> [Login] {
        loginTable.values(where: isWanted, limit: limit)
    }
}

// MARK: - Access tokens

extension MemoryStore {
    package func keep(_ token: AccessTokenRecord, named digest: TokenDigest) throws(StoreError) {
        try accessTokens.insert(token, for: digest, at: token.facts.issuedAt)
    }

    package func accessToken(
        named digest: TokenDigest, at now: Timestamp
    ) throws(StoreError) -> AccessTokenRecord? {
        accessTokens[digest].flatMap { $0.isGood(at: now) ? $0 : nil }
    }

    package func revokeAccessToken(
        _ identifier: String, expiring: Timestamp, at now: Timestamp
    ) throws(StoreError) {
        try revokedAccessTokens.insert(ExpiryRecord(expiring), for: ExactText(identifier), at: now)
    }

    package func isAccessTokenRevoked(_ identifier: String, at now: Timestamp) throws(StoreError) -> Bool {
        revokedAccessTokens[ExactText(identifier)] != nil
    }
}

// MARK: - What is good once

extension MemoryStore {
    package func spend(
        _ identifier: OneTimeIdentifier, until expiry: Timestamp, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try spent.change(identifier, at: now) { ExpiryRecord.spend(&$0, until: expiry, at: now) }
    }

    package func keep(
        _ request: PushedRequest, named digest: TokenDigest, at now: Timestamp
    ) throws(StoreError) {
        try pushedRequests.insert(request, for: digest, at: now)
    }

    package func takePushedRequest(
        named digest: TokenDigest, at now: Timestamp, if judge: @Sendable (PushedRequest) -> Bool
    ) throws(StoreError) -> PushedRequest? {
        try pushedRequests.change(digest) { PushedRequest.take(&$0, at: now, if: judge) }
    }
}

// MARK: - Devices and consent

extension MemoryStore {
    package func keep(
        _ device: DeviceAuthorization, named digest: TokenDigest, at now: Timestamp
    ) throws(StoreError) -> Bool {
        let isFree = try userCodes.change(ExactText(device.userCode), at: now) {
            UserCodeRecord.take(&$0, for: digest, until: device.expires, at: now)
        }
        guard isFree else { return false }
        do {
            try devices.insert(device, for: digest, at: now)
        } catch {
            // Nothing happened: the code is free again.
            _ = try? userCodes.change(ExactText(device.userCode)) { $0 = nil }
            throw error
        }
        return true
    }

    package func changeDevice<Result: Sendable>(
        named digest: TokenDigest, by body: @Sendable (inout DeviceAuthorization) -> Result
    ) throws(StoreError) -> Result? {
        try devices.change(digest) { device in
            guard var found = device.take() else { return nil }
            let result = body(&found)
            device = found
            return result
        }
    }

    package func changeDevice<Result: Sendable>(
        userCode: String, at now: Timestamp, by body: @Sendable (inout DeviceAuthorization) -> Result
    ) throws(StoreError) -> Result? {
        guard let entry = userCodes[ExactText(userCode)], now < entry.expires else { return nil }
        return try changeDevice(named: entry.device, by: body)
    }

    package func consent(
        of userID: String, to clientID: String, for resources: [String]
    ) throws(StoreError) -> Scope? {
        consents[ConsentKey(user: ExactText(userID), client: ExactText(clientID))]?.scope(for: resources)
    }

    package func rememberConsent(
        _ granted: Scope, of requested: Scope, by userID: String, to clientID: String, for resources: [String]
    ) throws(StoreError) {
        try consents.change(ConsentKey(user: ExactText(userID), client: ExactText(clientID))) {
            RememberedConsent.note(granted, of: requested, for: resources, in: &$0)
        }
    }

    package func withdrawConsents(
        where isMeant: @Sendable (_ userID: String, _ clientID: String) -> Bool
    ) throws(StoreError) {
        consents.removeAll { key, _ in isMeant(key.user.text, key.client.text) }
    }

    package func withdrawGrants(
        where isMeant: @Sendable (_ userID: String?, _ clientID: String) -> Bool
    ) throws(StoreError) {
        codes.removeAll { _, code in code.isMeant(by: isMeant) }
        var freed: [ExactText: TokenDigest] = [:]
        devices.removeAll { digest, device in
            guard device.isMeant(by: isMeant) else { return false }
            freed[ExactText(device.userCode)] = digest
            return true
        }
        if !freed.isEmpty { userCodes.removeAll { code, entry in freed[code] == entry.device } }
        pushedRequests.removeAll { _, request in request.isMeant(by: isMeant) }
        interactions.removeAll { _, interaction in interaction.isMeant(by: isMeant) }
    }
}

// MARK: - Interactions

extension MemoryStore {
    package func keep(_ interaction: Interaction) throws(StoreError) {
        try interactions.insert(interaction, for: interaction.id, at: interaction.began)
    }

    package func changeInteraction<Result: Sendable>(
        _ id: InteractionID, at now: Timestamp, by body: @Sendable (inout Interaction) -> Result
    ) throws(StoreError) -> Result? {
        try interactions.change(id) { Interaction.change(&$0, at: now, by: body) }
    }
}
