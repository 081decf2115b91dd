import OAuth
import Primitives

/// A store in which things can go wrong, and of which somebody may want to hear: what tests see of the real one. It takes
/// its place while somebody listens.
struct WatchedStore: ProviderStore {
    private let inner: any ProviderStore
    private let checkpoints: Checkpoints

    init(_ inner: any ProviderStore, _ checkpoints: Checkpoints) {
        self.inner = inner
        self.checkpoints = checkpoints
    }

    /// The store of a request whose store is to fail.
    private func check() throws(StoreError) {
        guard Passage.current?.isStoreFailing == true else { return }
        throw .unavailable(reason: "a fault that somebody has set")
    }

    // MARK: Codes

    func keep(_ code: AuthorizationCode, named digest: TokenDigest) async throws(StoreError) {
        try check()
        try await inner.keep(code, named: digest)
    }

    func consumeCode(
        named digest: TokenDigest, at now: Timestamp, if judge: @Sendable (AuthorizationCode) -> Bool
    ) async throws(StoreError) -> AuthorizationCode.Consumption? {
        try check()
        return try await inner.consumeCode(named: digest, at: now, if: judge)
    }

    // MARK: Families

    func keep(_ family: Family) async throws(StoreError) {
        try check()
        try await inner.keep(family)
        checkpoints.events.record(.begun(family))
    }

    func begin(_ family: Family) async throws(StoreError) -> Family.Beginning {
        try check()
        let beginning = try await inner.begin(family)
        if beginning.isNew, family.ended == nil { checkpoints.events.record(.begun(family)) }
        return beginning
    }

    func family(_ id: FamilyID) async throws(StoreError) -> Family? {
        try check()
        return try await inner.family(id)
    }

    func judge<Verdict: Sendable>(
        _ id: FamilyID, by body: @Sendable (inout Family) -> Verdict
    ) async throws(StoreError) -> Verdict? {
        try check()
        guard checkpoints.events.isOn else { return try await inner.judge(id, by: body) }
        let judged = try await inner.judge(id) { (family: inout Family) -> (Verdict, Family?) in
            let wasAlive = family.ended == nil
            let verdict = body(&family)
            return (verdict, wasAlive && family.ended != nil ? family : nil)
        }
        if let ended = judged?.1 { checkpoints.events.record(.ended(ended)) }
        return judged?.0
    }

    func refresh<Verdict: Sendable>(
        _ id: FamilyID, by body: @Sendable (inout Family, _ login: Login?) -> RefreshOutcome<Verdict>
    ) async throws(StoreError) -> Verdict? {
        try check()
        guard checkpoints.events.isOn else { return try await inner.refresh(id, by: body) }
        let judged = try await inner.refresh(id) {
            (family: inout Family, login) -> RefreshOutcome<(Verdict, Family?)> in
            let wasAlive = family.ended == nil
            let outcome = body(&family, login)
            var watched = RefreshOutcome((outcome.verdict, wasAlive && family.ended != nil ? family : nil))
            watched.accessToken = outcome.accessToken
            watched.login = outcome.login
            return watched
        }
        if let ended = judged?.1 { checkpoints.events.record(.ended(ended)) }
        return judged?.0
    }

    func families(
        of loginID: LoginID, where isWanted: @Sendable (Family) -> Bool, limit: Int
    ) async throws(StoreError) -> [Family] {
        try check()
        return try await inner.families(of: loginID, where: isWanted, limit: limit)
    }

    func families(where isWanted: @Sendable (Family) -> Bool, limit: Int) async throws(StoreError) -> [Family] {
        try check()
        return try await inner.families(where: isWanted, limit: limit)
    }

    func endFamilies(
        of clientID: String, in loginID: LoginID, _ reason: Family.Reason, at now: Timestamp
    ) async throws(StoreError) {
        try check()
        guard checkpoints.events.isOn else {
            return try await inner.endFamilies(of: clientID, in: loginID, reason, at: now)
        }
        // By the verb above, which tells of each of them.
        try await endEachFamily(of: clientID, in: loginID, reason, at: now)
    }

    // MARK: Logins

    func keep(_ login: Login) async throws(StoreError) {
        try check()
        try await inner.keep(login)
        checkpoints.events.record(.begun(login))
    }

    func login(_ id: LoginID) async throws(StoreError) -> Login? {
        try check()
        return try await inner.login(id)
    }

    func change<Result: Sendable>(
        _ id: LoginID, by body: @Sendable (inout Login) -> Result
    ) async throws(StoreError) -> Result? {
        try check()
        guard checkpoints.events.isOn else { return try await inner.change(id, by: body) }
        let changed = try await inner.change(id) { (login: inout Login) -> (Result, Login?) in
            let wasAlive = login.ended == nil
            let result = body(&login)
            return (result, wasAlive && login.ended != nil ? login : nil)
        }
        if let ended = changed?.1 { checkpoints.events.record(.ended(ended)) }
        return changed?.0
    }

    func logins(where isWanted: @Sendable (Login) -> Bool, limit: Int) async throws(StoreError) -> [Login] {
        try check()
        return try await inner.logins(where: isWanted, limit: limit)
    }

    // MARK: Access tokens

    func keep(_ token: AccessTokenRecord, named digest: TokenDigest) async throws(StoreError) {
        try check()
        try await inner.keep(token, named: digest)
    }

    func accessToken(named digest: TokenDigest, at now: Timestamp) async throws(StoreError) -> AccessTokenRecord? {
        try check()
        return try await inner.accessToken(named: digest, at: now)
    }

    func revokeAccessToken(_ identifier: String, expiring: Timestamp, at now: Timestamp) async throws(StoreError) {
        try check()
        try await inner.revokeAccessToken(identifier, expiring: expiring, at: now)
        checkpoints.events.record(.revoked(identifier))
    }

    func isAccessTokenRevoked(_ identifier: String, at now: Timestamp) async throws(StoreError) -> Bool {
        try check()
        return try await inner.isAccessTokenRevoked(identifier, at: now)
    }

    // MARK: What is good once

    func spend(
        _ identifier: OneTimeIdentifier, until expiry: Timestamp, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try check()
        return try await inner.spend(identifier, until: expiry, at: now)
    }

    func keep(_ request: PushedRequest, named digest: TokenDigest, at now: Timestamp) async throws(StoreError) {
        try check()
        try await inner.keep(request, named: digest, at: now)
    }

    func takePushedRequest(
        named digest: TokenDigest, at now: Timestamp, if judge: @Sendable (PushedRequest) -> Bool
    ) async throws(StoreError) -> PushedRequest? {
        try check()
        return try await inner.takePushedRequest(named: digest, at: now, if: judge)
    }

    // MARK: Devices

    func keep(
        _ device: DeviceAuthorization, named digest: TokenDigest, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try check()
        return try await inner.keep(device, named: digest, at: now)
    }

    func changeDevice<Result: Sendable>(
        named digest: TokenDigest, by body: @Sendable (inout DeviceAuthorization) -> Result
    ) async throws(StoreError) -> Result? {
        try check()
        return try await inner.changeDevice(named: digest, by: body)
    }

    func changeDevice<Result: Sendable>(
        userCode: String, at now: Timestamp, by body: @Sendable (inout DeviceAuthorization) -> Result
    ) async throws(StoreError) -> Result? {
        try check()
        return try await inner.changeDevice(userCode: userCode, at: now, by: body)
    }

    // MARK: Consent, and what has not begun

    func consent(of userID: String, to clientID: String, for resources: [String]) async throws(StoreError) -> Scope? {
        try check()
        return try await inner.consent(of: userID, to: clientID, for: resources)
    }

    func rememberConsent(
        _ granted: Scope, of requested: Scope, by userID: String, to clientID: String, for resources: [String]
    ) async throws(StoreError) {
        try check()
        try await inner.rememberConsent(granted, of: requested, by: userID, to: clientID, for: resources)
    }

    func withdrawConsents(
        where isMeant: @Sendable (_ userID: String, _ clientID: String) -> Bool
    ) async throws(StoreError) {
        try check()
        try await inner.withdrawConsents(where: isMeant)
    }

    func withdrawGrants(
        where isMeant: @Sendable (_ userID: String?, _ clientID: String) -> Bool
    ) async throws(StoreError) {
        try check()
        try await inner.withdrawGrants(where: isMeant)
    }

    // MARK: Interactions

    func keep(_ interaction: Interaction) async throws(StoreError) {
        try check()
        try await inner.keep(interaction)
    }

    func changeInteraction<Result: Sendable>(
        _ id: InteractionID, at now: Timestamp, by body: @Sendable (inout Interaction) -> Result
    ) async throws(StoreError) -> Result? {
        try check()
        return try await inner.changeInteraction(id, at: now, by: body)
    }

    // MARK: What is there at the next start

    func keep(_ registration: Registration) async throws(StoreError) {
        try check()
        try await inner.keep(registration)
    }

    func update(_ registration: Registration) async throws(StoreError) {
        try check()
        try await inner.update(registration)
    }

    func removeRegistration(of clientID: String) async throws(StoreError) {
        try check()
        try await inner.removeRegistration(of: clientID)
    }

    func registrations() async throws(StoreError) -> [Registration] {
        try check()
        return try await inner.registrations()
    }

    func keep(_ stays: [StayRecord], forgetting gone: [StayRecord]) async throws(StoreError) {
        try check()
        try await inner.keep(stays, forgetting: gone)
    }

    func stays() async throws(StoreError) -> [StayRecord] {
        try check()
        return try await inner.stays()
    }

    // MARK: Housekeeping

    func removeAll() async throws(StoreError) {
        try check()
        try await inner.removeAll()
    }
}
