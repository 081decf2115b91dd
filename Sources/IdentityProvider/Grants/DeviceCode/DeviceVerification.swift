import OAuth
import Primitives

/// Decides for a user whether a device gets its tokens (RFC 8628 section 3.3). What the page does for people, and what
/// whoever scripts a user calls instead.
///
///     try await DeviceVerification.decide(userCode: "WDJB-MJHT", as: alice, approve: true, in: context)
package enum DeviceVerification {
    /// What became of a decision.
    package enum Outcome: Hashable, Sendable {
        case decided
        /// No device shows this code, or its time is over.
        case unknownCode
        /// Somebody was faster.
        case decidedBefore
    }

    /// Who decides, and how it is known who he is.
    package struct Decider: Sendable {
        package let userID: String
        package let authentication: Authentication?
        /// Given for this login alone.
        package let claims: JSONObject
        /// The stay in which he logged in; `nil`: the one in which he decides.
        private(set) var stay: Int?

        package init(userID: String, authentication: Authentication?, claims: JSONObject = [:]) {
            self.userID = userID
            self.authentication = authentication
            self.claims = claims
        }

        package init(_ login: Login) {
            self.init(userID: login.userID, authentication: login.authentication, claims: login.claims)
            stay = login.userStay
        }
    }

    /// Decides as a user who was not asked for a password.
    @discardableResult
    package static func decide(
        userCode: String, as user: User, approve: Bool, in context: ProviderContext
    ) async throws(OAuthError) -> Outcome {
        let authentication = Authentication(at: context.clock.now(), methods: [])
        return try await decide(
            userCode: userCode, as: Decider(userID: user.id, authentication: authentication), approve: approve,
            in: context)
    }

    /// Decides once: of all who try, however near together, one is told `decided`. Who is not there any more decides
    /// nothing.
    package static func decide(
        userCode: String, as decider: Decider, approve: Bool, in context: ProviderContext
    ) async throws(OAuthError) -> Outcome {
        guard let code = UserCode(typed: userCode) else { return .unknownCode }
        guard let stay = context.users.stay(of: decider.userID), decider.stay.map({ $0 == stay }) ?? true else {
            throw userRemoved
        }
        let now = context.clock.now()
        let id = FamilyID(from: context.random)
        let expires = now + context.configuration.lifetimes.refreshTokens
        let outcome = try await context.storing { store throws(StoreError) in
            try await store.changeDevice(userCode: code.text, at: now) { device -> Outcome in
                guard now < device.expires else { return .unknownCode }
                guard case .pending = device.decision else { return .decidedBefore }
                let stays = Stays(user: stay, client: device.clientStay ?? clientStay(of: device, in: context))
                device.decision =
                    approve ? .approved(device.terms(id: id, for: decider, stays, at: now, until: expires)) : .denied
                return .decided
            }
        }
        // Whoever removed the user meanwhile has withdrawn what he found, and may have looked before this was there.
        guard context.users.stay(of: decider.userID) == stay else {
            try await withdraw(id, userCode: code, in: context, at: now)
            throw userRemoved
        }
        return outcome ?? .unknownCode
    }

    private static var userRemoved: OAuthError {
        OAuthError(.loginRequired, "the user is not there any more", cause: "user removed")
    }

    private static func clientStay(of device: DeviceAuthorization, in context: ProviderContext) -> Int {
        context.clients[device.clientID]?.stay ?? Stays.nobody
    }

    /// Denies what was approved under this identifier.
    private static func withdraw(
        _ id: FamilyID, userCode: UserCode, in context: ProviderContext, at now: Timestamp
    ) async throws(OAuthError) {
        _ = try await context.storing { store throws(StoreError) in
            try await store.changeDevice(userCode: userCode.text, at: now) { device in
                if case .approved(let terms) = device.decision, terms.id == id { device.decision = .denied }
            }
        }
    }

    /// The device that shows a code and waits; `nil` when there is none.
    static func waiting(
        for code: UserCode, in context: ProviderContext
    ) async throws(OAuthError) -> DeviceAuthorization? {
        let now = context.clock.now()
        let device = try await context.storing { store throws(StoreError) in
            try await store.changeDevice(userCode: code.text, at: now) { $0 }
        }
        guard let device, now < device.expires, case .pending = device.decision else { return nil }
        return device
    }
}

extension DeviceAuthorization {
    /// What the user agrees to. It does not hang on the login of the browser in which he does: the device is somewhere
    /// else, and stays connected when the browser is closed.
    fileprivate func terms(
        id: FamilyID, for decider: DeviceVerification.Decider, _ stays: Stays, at now: Timestamp,
        until expires: Timestamp
    ) -> FamilyTerms {
        FamilyTerms(
            id: id, clientID: clientID, userID: decider.userID, scope: scope, resources: resources,
            authentication: decider.authentication, loginClaims: decider.claims, began: now, expires: expires,
            stays: stays)
    }
}
