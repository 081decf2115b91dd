import IdentityProvider
import OAuth
import Primitives
import Synchronization

/// A store in memory, with a gate before families begin, another before logins are kept, one before the decision about a
/// device is noted, and places where something may happen before what is asked for.
struct GatedStore: ProviderStore {
    typealias Hook = @Sendable () async throws(StoreError) -> Void

    /// Counts down.
    final class Troubles: Sendable {
        private let count = Mutex(0)

        func begin(_ number: Int) { count.withLock { $0 = number } }

        func pass() throws(StoreError) {
            let isBroken = count.withLock { count in
                defer { count = max(0, count - 1) }
                return count > 0
            }
            if isBroken { throw .full(limit: 0) }
        }
    }

    /// How many opaque access tokens were kept, and with what.
    final class KeptAccessTokens: Sendable {
        private let counts = Mutex((alone: 0, withJudgement: 0))

        var alone: Int { counts.withLock { $0.alone } }
        var withJudgement: Int { counts.withLock { $0.withJudgement } }

        func keepAlone() { counts.withLock { $0.alone += 1 } }
        func keepWithJudgement() { counts.withLock { $0.withJudgement += 1 } }
    }

    let gate: FamilyGate
    let loginGate: FamilyGate
    let deviceGate: FamilyGate
    /// How many times families cannot be looked for.
    let troubles = Troubles()
    let accessTokens = KeptAccessTokens()
    var beforeJudging: Hook = {}
    var beforeKeepingAccessToken: Hook = {}
    var beforeEndingGrant: Hook = {}
    var beforeKeepingRegistration: Hook = {}
    var keepingStays: @Sendable ([StayRecord]) throws(StoreError) -> Void = { _ in }
    private let memory: any ProviderStore = MemoryStore()

    init(gate: FamilyGate = FamilyGate(), loginGate: FamilyGate = FamilyGate(), deviceGate: FamilyGate = FamilyGate()) {
        self.gate = gate
        self.loginGate = loginGate
        self.deviceGate = deviceGate
    }

    func endFamilies(
        of clientID: String, in loginID: LoginID, _ reason: Family.Reason, at now: Timestamp
    ) async throws(StoreError) {
        try await beforeEndingGrant()
        try await memory.endFamilies(of: clientID, in: loginID, reason, at: now)
    }

    func keep(_ stays: [StayRecord], forgetting _: [StayRecord]) async throws(StoreError) { try keepingStays(stays) }

    func keep(_ code: AuthorizationCode, named digest: TokenDigest) async throws(StoreError) {
        try await memory.keep(code, named: digest)
    }

    func consumeCode(named digest: TokenDigest, at now: Timestamp, if judge: @Sendable (AuthorizationCode) -> Bool)
        async throws(StoreError) -> AuthorizationCode.Consumption?
    {
        try await memory.consumeCode(named: digest, at: now, if: judge)
    }

    func keep(_ family: Family) async throws(StoreError) {
        try await memory.keep(family)
    }

    func begin(_ family: Family) async throws(StoreError) -> Family.Beginning {
        await gate.pass()
        return try await memory.begin(family)
    }

    func family(_ id: FamilyID) async throws(StoreError) -> Family? {
        try await memory.family(id)
    }

    func judge<Verdict: Sendable>(_ id: FamilyID, by body: @Sendable (inout Family) -> Verdict) async throws(StoreError)
        -> Verdict?
    {
        try await beforeJudging()
        return try await memory.judge(id, by: body)
    }

    /// What it keeps it keeps together: where a part cannot be kept, nothing is.
    func refresh<Verdict: Sendable>(
        _ id: FamilyID, by body: @Sendable (inout Family, _ login: Login?) -> RefreshOutcome<Verdict>
    ) async throws(StoreError) -> Verdict? {
        try await beforeJudging()
        // What there will be to keep is found out before anything is kept.
        if var family = try await memory.family(id) {
            let loginID = family.terms.loginID
            let login: Login? = if let loginID { try await memory.login(loginID) } else { nil }
            if body(&family, login).accessToken != nil {
                try await beforeKeepingAccessToken()
                accessTokens.keepWithJudgement()
            }
        }
        return try await memory.refresh(id, by: body)
    }

    func families(where isWanted: @Sendable (Family) -> Bool, limit: Int) async throws(StoreError) -> [Family] {
        try troubles.pass()
        return try await memory.families(where: isWanted, limit: limit)
    }

    func keep(_ login: Login) async throws(StoreError) {
        await loginGate.pass()
        try await memory.keep(login)
    }

    func login(_ id: LoginID) async throws(StoreError) -> Login? {
        try await memory.login(id)
    }

    func change<Result: Sendable>(_ id: LoginID, by body: @Sendable (inout Login) -> Result) async throws(StoreError)
        -> Result?
    {
        try await memory.change(id, by: body)
    }

    func logins(where isWanted: @Sendable (Login) -> Bool, limit: Int) async throws(StoreError) -> [Login] {
        try await memory.logins(where: isWanted, limit: limit)
    }

    func keep(_ token: AccessTokenRecord, named digest: TokenDigest) async throws(StoreError) {
        try await beforeKeepingAccessToken()
        accessTokens.keepAlone()
        try await memory.keep(token, named: digest)
    }

    func accessToken(named digest: TokenDigest, at now: Timestamp) async throws(StoreError) -> AccessTokenRecord? {
        try await memory.accessToken(named: digest, at: now)
    }

    func revokeAccessToken(_ identifier: String, expiring: Timestamp, at now: Timestamp) async throws(StoreError) {
        try await memory.revokeAccessToken(identifier, expiring: expiring, at: now)
    }

    func isAccessTokenRevoked(_ identifier: String, at now: Timestamp) async throws(StoreError) -> Bool {
        try await memory.isAccessTokenRevoked(identifier, at: now)
    }

    func spend(_ identifier: OneTimeIdentifier, until expiry: Timestamp, at now: Timestamp) async throws(StoreError)
        -> Bool
    {
        try await memory.spend(identifier, until: expiry, at: now)
    }

    func keep(_ request: PushedRequest, named digest: TokenDigest, at now: Timestamp) async throws(StoreError) {
        try await memory.keep(request, named: digest, at: now)
    }

    func takePushedRequest(named digest: TokenDigest, at now: Timestamp, if judge: @Sendable (PushedRequest) -> Bool)
        async throws(StoreError) -> PushedRequest?
    {
        try await memory.takePushedRequest(named: digest, at: now, if: judge)
    }

    func keep(_ device: DeviceAuthorization, named digest: TokenDigest, at now: Timestamp) async throws(StoreError)
        -> Bool
    {
        try await memory.keep(device, named: digest, at: now)
    }

    func changeDevice<Result: Sendable>(
        named digest: TokenDigest, by body: @Sendable (inout DeviceAuthorization) -> Result
    ) async throws(StoreError) -> Result? {
        try await memory.changeDevice(named: digest, by: body)
    }

    func changeDevice<Result: Sendable>(
        userCode: String, at now: Timestamp, by body: @Sendable (inout DeviceAuthorization) -> Result
    ) async throws(StoreError) -> Result? {
        await deviceGate.pass()
        return try await memory.changeDevice(userCode: userCode, at: now, by: body)
    }

    func consent(of userID: String, to clientID: String, for resources: [String]) async throws(StoreError) -> Scope? {
        try await memory.consent(of: userID, to: clientID, for: resources)
    }

    func rememberConsent(
        _ granted: Scope, of requested: Scope, by userID: String, to clientID: String, for resources: [String]
    ) async throws(StoreError) {
        try await memory.rememberConsent(granted, of: requested, by: userID, to: clientID, for: resources)
    }

    func withdrawConsents(
        where isMeant: @Sendable (_ userID: String, _ clientID: String) -> Bool
    ) async throws(StoreError) {
        try await memory.withdrawConsents(where: isMeant)
    }

    func withdrawGrants(
        where isMeant: @Sendable (_ userID: String?, _ clientID: String) -> Bool
    ) async throws(StoreError) {
        try await memory.withdrawGrants(where: isMeant)
    }

    func keep(_ registration: Registration) async throws(StoreError) { try await beforeKeepingRegistration() }
    func update(_ registration: Registration) async throws(StoreError) { try await beforeKeepingRegistration() }
    func removeRegistration(of _: String) async throws(StoreError) {}
    func registrations() async throws(StoreError) -> [Registration] { [] }
    func stays() async throws(StoreError) -> [StayRecord] { [] }

    func keep(_ interaction: Interaction) async throws(StoreError) {
        try await memory.keep(interaction)
    }

    func changeInteraction<Result: Sendable>(
        _ id: InteractionID, at now: Timestamp, by body: @Sendable (inout Interaction) -> Result
    ) async throws(StoreError) -> Result? {
        try await memory.changeInteraction(id, at: now, by: body)
    }

    func removeAll() async throws(StoreError) {
        try await memory.removeAll()
    }
}
