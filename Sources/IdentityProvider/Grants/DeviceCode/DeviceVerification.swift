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

        package init(userID: String, authentication: Authentication?, claims: JSONObject = [:]) {
            self.userID = userID
            self.authentication = authentication
            self.claims = claims
        }

        package init(_ login: Login) {
            self.init(userID: login.userID, authentication: login.authentication, claims: login.claims)
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

    /// Decides once: of all who try, however near together, one is told `decided`.
    package static func decide(
        userCode: String, as decider: Decider, approve: Bool, in context: ProviderContext
    ) async throws(OAuthError) -> Outcome {
        guard let code = UserCode(typed: userCode) else { return .unknownCode }
        let now = context.clock.now()
        let id = FamilyID(from: context.random)
        let expires = now + context.configuration.lifetimes.refreshTokens
        let outcome = try await context.storing { store throws(StoreError) in
            try await store.changeDevice(userCode: code.text, at: now) { device -> Outcome in
                guard now < device.expires else { return .unknownCode }
                guard case .pending = device.decision else { return .decidedBefore }
                device.decision =
                    approve ? .approved(device.terms(id: id, for: decider, at: now, until: expires)) : .denied
                return .decided
            }
        }
        return outcome ?? .unknownCode
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
        id: FamilyID, for decider: DeviceVerification.Decider, at now: Timestamp, until expires: Timestamp
    ) -> FamilyTerms {
        FamilyTerms(
            id: id, clientID: clientID, userID: decider.userID, scope: scope, resources: resources,
            authentication: decider.authentication, loginClaims: decider.claims, began: now, expires: expires)
    }
}
