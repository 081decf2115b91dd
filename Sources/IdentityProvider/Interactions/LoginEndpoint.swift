import HTTPMessages
import OAuth
import Observability
import Primitives

/// Asks the user who he is (OpenID Connect Core section 3.1.2.3).
struct LoginEndpoint: InteractionPage {
    static let location = "/login"

    let path = LoginEndpoint.location
    let desk: InteractionDesk

    func show(
        _ open: OpenInteraction, in visit: inout Visit
    ) async throws(AuthorizationRefusal) -> ServerResponse {
        return desk.pages.response(page(open, visit), for: visit)
    }

    func submit(
        _ form: FormParameters, of open: OpenInteraction, in visit: inout Visit
    ) async throws(AuthorizationRefusal) -> ServerResponse {
        let user: User
        let claims: JSONObject
        do throws(Retry) {
            // First, so that a slip there costs nobody an attempt at his password.
            claims = try self.claims(of: form)
            user = try self.user(of: form, from: visit)
        } catch {
            return response(to: error, form, open, visit)
        }
        let login: Login
        do throws(OAuthError) {
            login = try await desk.flow.logIn(user, claims: claims, for: open.subject?.request, in: &visit)
        } catch {
            throw AuthorizationRefusal(error, to: open.target)
        }
        var open = open
        try await desk.note(&open, at: visit.now) { progress in
            progress.authenticated = login.id
            progress.account = login.id
        }
        return try await desk.proceed(open, in: &visit)
    }

    /// Why the page is shown again.
    private struct Retry: Error {
        let problem: LoginPage.Problem
    }

    /// Whether nothing is at stake, so that users are offered by name.
    private var offersUsers: Bool { desk.context.configuration.signIn.page == .users }

    private func claims(of form: FormParameters) throws(Retry) -> JSONObject {
        guard offersUsers, let text = form["claims"] else { return [:] }
        guard case .object(let claims)? = try? JSON(parsing: text) else { throw Retry(problem: .claimsAreNoObject) }
        return claims
    }

    private func user(of form: FormParameters, from visit: Visit) throws(Retry) -> User {
        let context = desk.context
        if offersUsers, let id = form["user"] {
            guard let user = context.users[id: id] else { throw Retry(problem: .wrongCredentials) }
            return user
        }
        guard let username = form["username"], username.utf8.count <= User.maximumNameByteCount else {
            throw Retry(problem: .wrongCredentials)
        }
        if context.configuration.allowances.contains(.anyUser), let user = context.users.assumed(username) {
            return user
        }
        let peer = visit.request.peer.address
        if let wait = context.loginThrottle.begin(username, from: peer, by: context.configuration.signIn, at: visit.now)
        {
            throw Retry(problem: .tooManyAttempts(retryAfterSeconds: wait.secondsToWait))
        }
        // An empty password is one too, for the users who have none.
        guard let user = context.users.user(username, provenBy: Secret(utf8: form["password"] ?? "")) else {
            throw Retry(problem: .wrongCredentials)
        }
        context.loginThrottle.succeed(username, from: peer)
        return user
    }

    private func response(
        to retry: Retry, _ form: FormParameters, _ open: OpenInteraction, _ visit: Visit
    ) -> ServerResponse {
        var page = page(open, visit)
        page.problem = retry.problem
        page.username = form["username"] ?? ""
        if page.claims != nil { page.claims = form["claims"] ?? "" }
        var response = desk.pages.response(page, for: visit)
        switch retry.problem {
        // RFC 9110 section 15.5.4: the credentials do not suffice. Not 401: it would need a challenge, which browsers
        // answer with a window of their own.
        case .wrongCredentials: response.head.status = .forbidden
        case .claimsAreNoObject, .expired: response.head.status = .badRequest
        case .tooManyAttempts(let seconds):
            // RFC 6585 section 4.
            response.head.status = .tooManyRequests
            response.head.headerFields[.retryAfter] = String(seconds)
        }
        desk.context.logger.info(
            "login.refused",
            // What was typed is not logged: it may be a password in the wrong place.
            [LogField("request", visit.request.id), LogField("reason", retry.problem.name)])
        return response
    }

    private func page(_ open: OpenInteraction, _ visit: Visit) -> LoginPage {
        let metadata = open.subject?.client.metadata
        let chosen = visit.session.logins.first { $0.id == open.interaction.progress.account }
        let suggestion =
            chosen.flatMap { desk.context.users[id: $0.userID]?.username }
            ?? open.subject.flatMap { desk.flow.suggestedUsername(for: $0.request, $0.client) }
        return LoginPage(
            action: visit.action(path), hiddenFields: desk.hiddenFields(open), formTargets: open.formTargets,
            clientName: open.clientName, policyURL: metadata?.policyURI.flatMap { PageURL($0) },
            termsURL: metadata?.termsURI.flatMap { PageURL($0) }, username: suggestion ?? "",
            users: offersUsers ? desk.context.users.offered : [], claims: offersUsers ? "" : nil)
    }
}

extension LoginPage.Problem {
    fileprivate var name: String {
        switch self {
        case .wrongCredentials: "wrong_credentials"
        case .tooManyAttempts: "too_many_attempts"
        case .expired: "expired"
        case .claimsAreNoObject: "claims_are_no_object"
        }
    }
}
