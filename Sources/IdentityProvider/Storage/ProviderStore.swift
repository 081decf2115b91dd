import OAuth
import Primitives

/// What a provider remembers between requests.
///
/// Every verb is atomic: what it reads cannot have changed when it writes. There is no pair of a reading and a writing verb
/// whose use could race, so that no engine can have the race. The functions that are handed in are pure: an engine may
/// run them more than once.
package protocol ProviderStore: Sendable {
    // MARK: Codes (RFC 6749 section 4.1)

    func keep(_ code: AuthorizationCode, named digest: TokenDigest) async throws(StoreError)

    /// Consumes a code. Of all who present it, however near together, one is told `consumed`; the code is remembered as
    /// consumed until it expires. `judge` says whether the right client presented it rightly: a code that it refuses
    /// stays as it was, and the outcome is `nil`.
    func consumeCode(
        named digest: TokenDigest, at now: Timestamp, if judge: @Sendable (AuthorizationCode) -> Bool
    ) async throws(StoreError) -> AuthorizationCode.Consumption?

    // MARK: Families

    func keep(_ family: Family) async throws(StoreError)

    /// Keeps a family, unless there is one of its identifier: that one stays as it is.
    func begin(_ family: Family) async throws(StoreError) -> Family.Beginning

    func family(_ id: FamilyID) async throws(StoreError) -> Family?

    /// Changes a family; `nil` when there is none.
    func judge<Verdict: Sendable>(
        _ id: FamilyID, by body: @Sendable (inout Family) -> Verdict
    ) async throws(StoreError) -> Verdict?

    /// Changes a family and what goes with the answer, all of it or nothing; `nil` when there is no family. `body` is given
    /// the login too that the family was authorised in, if that is there, so that a refresh is one visit to the store. Whoever
    /// is told that it failed has spent no token.
    func refresh<Verdict: Sendable>(
        _ id: FamilyID, by body: @Sendable (inout Family, _ login: Login?) -> RefreshOutcome<Verdict>
    ) async throws(StoreError) -> Verdict?

    /// Those that `isWanted` picks: for whoever looks at the provider, not for requests of clients.
    func families(where isWanted: @Sendable (Family) -> Bool, limit: Int) async throws(StoreError) -> [Family]

    /// Those of a login that `isWanted` picks.
    func families(
        of loginID: LoginID, where isWanted: @Sendable (Family) -> Bool, limit: Int
    ) async throws(StoreError) -> [Family]

    /// Ends whatever a client was authorised to in a login, and has not ended yet.
    func endFamilies(
        of clientID: String, in loginID: LoginID, _ reason: Family.Reason, at now: Timestamp
    ) async throws(StoreError)

    // MARK: Logins

    func keep(_ login: Login) async throws(StoreError)

    func login(_ id: LoginID) async throws(StoreError) -> Login?

    /// Changes a login; `nil` when there is none.
    func change<Result: Sendable>(
        _ id: LoginID, by body: @Sendable (inout Login) -> Result
    ) async throws(StoreError) -> Result?

    func logins(where isWanted: @Sendable (Login) -> Bool, limit: Int) async throws(StoreError) -> [Login]

    // MARK: Access tokens

    /// Keeps an opaque access token until it expires.
    func keep(_ token: AccessTokenRecord, named digest: TokenDigest) async throws(StoreError)

    /// One that was good at a moment, now or before: of the past the store tells what it happens to have still.
    func accessToken(named digest: TokenDigest, at now: Timestamp) async throws(StoreError) -> AccessTokenRecord?

    /// From now on the access token with this `jti` is no good. Remembered until it would have expired anyway.
    func revokeAccessToken(_ identifier: String, expiring: Timestamp, at now: Timestamp) async throws(StoreError)

    func isAccessTokenRevoked(_ identifier: String, at now: Timestamp) async throws(StoreError) -> Bool

    // MARK: What is good once

    /// Notes the use of something that may be used once until `expiry`, such as the `jti` of an assertion. `false`: it
    /// was used before.
    func spend(_ identifier: OneTimeIdentifier, until expiry: Timestamp, at now: Timestamp) async throws(StoreError)
        -> Bool

    func keep(_ request: PushedRequest, named digest: TokenDigest, at now: Timestamp) async throws(StoreError)

    /// Takes a pushed request out: one of all who ask gets it. `judge` says whether the right client asks.
    func takePushedRequest(
        named digest: TokenDigest, at now: Timestamp, if judge: @Sendable (PushedRequest) -> Bool
    ) async throws(StoreError) -> PushedRequest?

    // MARK: Devices (RFC 8628)

    /// Keeps a device authorization; `false` when its user code is taken.
    func keep(_ device: DeviceAuthorization, named digest: TokenDigest, at now: Timestamp) async throws(StoreError)
        -> Bool

    /// Changes the device authorization of a device code; `nil` when there is none, or its time is long over.
    func changeDevice<Result: Sendable>(
        named digest: TokenDigest, by body: @Sendable (inout DeviceAuthorization) -> Result
    ) async throws(StoreError) -> Result?

    /// Changes the device authorization of a user code.
    func changeDevice<Result: Sendable>(
        userCode: String, at now: Timestamp, by body: @Sendable (inout DeviceAuthorization) -> Result
    ) async throws(StoreError) -> Result?

    // MARK: Consent

    /// What the user has agreed to for the client so far, if its tokens are for all of these resources (RFC 8707); see
    /// ``RememberedConsent``.
    func consent(of userID: String, to clientID: String, for resources: [String]) async throws(StoreError) -> Scope?

    /// Notes what the user has decided: of what was `requested`, he agrees from now on to what he `granted` and to nothing
    /// else, for each of these resources. What he agreed to before and was not asked for now stays.
    func rememberConsent(
        _ granted: Scope, of requested: Scope, by userID: String, to clientID: String, for resources: [String]
    ) async throws(StoreError)

    /// Forgets what was agreed to, for those users and clients that `isMeant` picks.
    func withdrawConsents(
        where isMeant: @Sendable (_ userID: String, _ clientID: String) -> Bool
    ) async throws(StoreError)

    // MARK: What has not begun

    /// Forgets the codes, the devices, decided or not, the open sign-ins and the pushed requests that `isMeant` picks: no
    /// family begins by them any more, and nothing is sent to where they would have been answered. User codes of the
    /// devices are free again.
    ///
    /// - Parameter isMeant: told who has agreed, where somebody has, and the client.
    func withdrawGrants(
        where isMeant: @Sendable (_ userID: String?, _ clientID: String) -> Bool
    ) async throws(StoreError)

    // MARK: Interactions

    func keep(_ interaction: Interaction) async throws(StoreError)

    /// Changes an interaction; `nil` when there is none, or its time is over.
    func changeInteraction<Result: Sendable>(
        _ id: InteractionID, at now: Timestamp, by body: @Sendable (inout Interaction) -> Result
    ) async throws(StoreError) -> Result?

    // MARK: Registrations (RFC 7591)

    /// Keeps what a client has registered, for the next start.
    func keep(_ registration: Registration) async throws(StoreError)

    /// Puts a registration in the place of an older one. One that has been removed stays so.
    func update(_ registration: Registration) async throws(StoreError)

    func removeRegistration(of clientID: String) async throws(StoreError)

    func registrations() async throws(StoreError) -> [Registration]

    // MARK: Stays

    /// Keeps these, and forgets those, in one step.
    func keep(_ stays: [StayRecord], forgetting gone: [StayRecord]) async throws(StoreError)

    func stays() async throws(StoreError) -> [StayRecord]

    // MARK: Housekeeping

    /// Forgets everything.
    func removeAll() async throws(StoreError)
}
