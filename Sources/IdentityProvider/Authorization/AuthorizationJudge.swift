import OAuth
import Primitives

/// What has to happen before a client gets its answer. A pure function of the request, of who is logged in, and of how
/// far the user has come: no clock, no store, no HTTP.
struct AuthorizationJudge: Sendable {
    let request: AuthorizationRequest
    let consent: ClientMetadata.Consent
    let progress: Interaction.Progress
    /// Whom `login_hint` names, if that is anybody.
    let hintedUserID: String?
    let now: Timestamp
    /// `sub` of a user, as the client knows him.
    let subject: @Sendable (_ userID: String) -> String

    /// Who it is about, or what the user has to do first.
    enum AccountStep: Sendable {
        case goOn(Login)
        case logIn
        case chooseAccount
        case refuse(OAuthError)
    }

    /// Whether the user has agreed.
    enum ConsentStep: Sendable {
        /// To this, which may be less than was asked for.
        case given(Scope)
        case ask
        case refuse(OAuthError)
    }

    private var isSilent: Bool { request.prompt == .none }

    /// - Parameter logins: those that the browser has proven, the one that was used last first.
    func account(among logins: [Login]) -> AccountStep {
        if isSilent { return silentAccount(among: logins) }
        if let id = progress.account {
            // Whoever has logged out meanwhile begins again.
            guard let login = logins.first(where: { $0.id == id }) else { return .logIn }
            return judge(login)
        }
        if request.prompt.contains(.selectAccount), !logins.isEmpty { return .chooseAccount }
        guard let login = logins.first(where: { isMeant($0) }) else { return .logIn }
        return judge(login)
    }

    /// OpenID Connect Core section 3.1.2.1: `none` shows nothing, and says with an error what would have to be shown.
    private func silentAccount(among logins: [Login]) -> AccountStep {
        guard let login = logins.first(where: { isMeant($0) }) else {
            return .refuse(OAuthError(.loginRequired, "nobody is logged in whom the request could be about"))
        }
        guard !isTooOld(login), hasRequiredClass(login) else {
            return .refuse(OAuthError(.loginRequired, "the user would have to log in again"))
        }
        return .goOn(login)
    }

    private func judge(_ login: Login) -> AccountStep {
        let isFresh = progress.authenticated == login.id
        guard request.permits(subject: subject(login.userID)) else {
            // Section 3.1.2.2, step 4: MUST NOT reply with a token for a different user.
            return isFresh
                ? .refuse(OAuthError(.loginRequired, "another user has logged in than the one the request is about"))
                : .logIn
        }
        guard hasRequiredClass(login) else {
            return isFresh
                ? .refuse(OAuthError(.unmetAuthenticationRequirements, "the login did not reach the context class"))
                : .logIn
        }
        if isFresh { return .goOn(login) }
        return request.prompt.contains(.login) || isTooOld(login) ? .logIn : .goOn(login)
    }

    /// Whether the request can be about this login without anybody being asked.
    private func isMeant(_ login: Login) -> Bool {
        guard request.permits(subject: subject(login.userID)) else { return false }
        // Section 3.1.2.1: a hint. It decides among users, and is passed over when it names none.
        guard !request.namesSubject, let hintedUserID else { return true }
        return sameText(login.userID, hintedUserID)
    }

    /// Section 3.1.2.1, `max_age`.
    private func isTooOld(_ login: Login) -> Bool {
        guard let limit = request.maximumAge else { return false }
        return limit.asksForLogin || limit.isExceeded(by: now - login.authentication.moment)
    }

    /// Section 5.5.1.1.
    private func hasRequiredClass(_ login: Login) -> Bool {
        let required = request.requiredContextClasses
        guard !required.isEmpty else { return true }
        guard let reached = login.authentication.contextClass else { return false }
        return required.contains { sameText($0, reached) }
    }

    /// - Parameter remembered: what the user has agreed to for this client and these resources before.
    func consent(of login: Login, remembered: Scope?) -> ConsentStep {
        if let given = progress.consent, sameText(given.userID, login.userID) { return .given(given.scope) }
        guard mustAsk(remembered) else { return .given(request.scope) }
        guard !isSilent else {
            return .refuse(OAuthError(.consentRequired, "the user would have to agree"))
        }
        return .ask
    }

    /// Section 11 wants a consent for `offline_access`. Where the client's users are asked at all, it is among what they
    /// are asked for; where they never are, whoever runs the provider has agreed in their place.
    private func mustAsk(_ remembered: Scope?) -> Bool {
        if request.prompt.contains(.consent) { return true }
        switch consent {
        case .implied: return false
        case .always: return true
        case .remembered: return !(remembered.map { request.scope.isSubset(of: $0) } ?? false)
        }
    }
}
