import HTTPMessages
import OAuth
import Primitives

/// Signs users out (OpenID Connect RP-Initiated Logout 1.0): `end_session_endpoint`.
///
/// A client sends its user here with what it knows of the session. The same path takes the answer of the page that asks
/// the user, which carries the client's request with it, so that nothing has to be kept for a user who never answers.
struct LogoutEndpoint: Endpoint {
    static let location = "/logout"

    let path = LogoutEndpoint.location
    let methods: [HTTPRequest.Method] = [.get, .post]
    let isPublic = false
    let isForPeople = true

    let desk: InteractionDesk
    private let reader: LogoutRequestReader
    private let ending: LoginEnding
    private let frontChannel: FrontChannelLogout

    init(desk: InteractionDesk) {
        self.desk = desk
        reader = LogoutRequestReader(context: desk.context)
        ending = LoginEnding(context: desk.context)
        frontChannel = FrontChannelLogout(context: desk.context)
    }

    private var context: ProviderContext { desk.context }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        await desk.answer(request, as: issuer, refusing: "logout.refused") {
            (visit: inout Visit) async throws(AuthorizationRefusal) in
            do throws(OAuthError) { return try await answer(&visit) } catch { throw AuthorizationRefusal(error) }
        }
    }

    private func answer(_ visit: inout Visit) async throws(OAuthError) -> ServerResponse {
        let form = try PageForm.parameters(of: visit.request)
        let isAnswer = visit.request.head.method == .post && form[Self.decisionField] != nil
        visit.uiLocales = form["ui_locales"]
        if !isAnswer, let detour = detour(form, visit) { return detour }
        let sender = try reader.sender(of: form, as: visit.issuer, at: visit.now)
        // An ID token says it to nobody who only looks at the request.
        visit.remark = RequestRemark(clientID: sender.client?.id)
        let request = try reader.read(form, from: sender)
        guard isAnswer else { return try await begin(request, form, in: &visit) }
        try checkAnswer(form, visit)
        guard form[Self.decisionField] == "logout" else { return desk.pages.response(LogoutPage(.stayed), for: visit) }
        // Those whom the page was about: who has come since then was not asked.
        let shown = form[values: Self.accountField].map { LoginID($0) }
        let logins = try await desk.sessions.endable(by: visit.request, in: visit.session)
        let hinted = try await HintedSession(of: request, in: context)
        return try await finish(
            request, ending: logins.filter { shown.contains($0.id) },
            elsewhere: hinted.flatMap { shown.contains($0.login.id) ? $0 : nil }, in: &visit)
    }

    private func begin(
        _ request: LogoutRequest, _ form: FormParameters, in visit: inout Visit
    ) async throws(OAuthError) -> ServerResponse {
        let logins = try await desk.sessions.endable(by: visit.request, in: visit.session)
        // A browser that shows nobody may still be here for a session that lives.
        if logins.isEmpty, let hinted = try await HintedSession(of: request, in: context) {
            return confirmation(request, form, [hinted.person(in: context)], isElsewhere: true, in: &visit)
        }
        let reach = LogoutReach(of: request, among: logins, context)
        // RFC 9110 section 9.2.1: `HEAD` is for looking, and ends nothing.
        guard reach.mustAsk || visit.request.head.method == .head else {
            return try await finish(request, ending: reach.logins, in: &visit)
        }
        return confirmation(request, form, reach.logins.map { context.users.person(of: $0) }, in: &visit)
    }

    /// - Parameter hinted: a session that the browser does not show.
    private func finish(
        _ request: LogoutRequest, ending logins: [Login], elsewhere hinted: HintedSession? = nil,
        in visit: inout Visit
    ) async throws(OAuthError) -> ServerResponse {
        let own = logins.map(\.id)
        let others = [hinted?.login.id].compactMap(\.self).filter { !own.contains($0) }
        let (ended, failure) = await ending.endQuietly(own + others, .loggedOut, at: visit.now)
        visit.remark = RequestRemark(clientID: visit.remark?.clientID, logins: ended.map(\.id))
        await ending.announce(ended, as: visit.issuer.issuer)
        if let failure { throw failure }
        for login in logins { visit.session.remove(login.id) }
        // Which applications were signed in to elsewhere is nobody's business here, and none of them has a cookie here.
        let frames = frontChannel.frames(for: ended.filter { own.contains($0.id) }, as: visit.issuer.issuer)
        let destination = request.destination
        if frames.isEmpty, let destination { return AuthorizationAnswer.redirect(to: destination) }
        let end = LogoutEnd(
            frames: frames, continueTo: destination.flatMap { PageURL(redirect: $0) },
            clientName: request.client?.displayName)
        return desk.pages.response(LogoutPage(.done(end)), for: visit)
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata[.endSessionEndpoint] = .string(metadata.issuer.url(of: path))
        frontChannel.advertise(in: &metadata)
        ending.advertise(in: &metadata)
    }
}

// MARK: - The page that asks

extension LogoutEndpoint {
    private static let decisionField = "decision"
    private static let accountField = "account"
    /// What the codes of the forms of this page are for.
    private static let formName = "logout"

    private func confirmation(
        _ request: LogoutRequest, _ form: FormParameters, _ users: [PagePerson], isElsewhere: Bool = false,
        in visit: inout Visit
    ) -> ServerResponse {
        let browser = visit.session.secret(from: context.random)
        var fields = [HiddenField(FormGuard.field, desk.forms.token(for: Self.formName, in: browser))]
        fields += users.map { HiddenField(Self.accountField, $0.id) }
        fields += Self.fields(of: form)
        var page = LogoutConfirmation(
            action: visit.action(path), hiddenFields: fields, clientName: request.client?.displayName,
            users: users)
        page.isElsewhere = isElsewhere
        if let target = request.redirectURI {
            page.formTargets = ContentSource.leading(to: PageURL(redirect: target.text))
        }
        return desk.pages.response(LogoutPage(.confirm(page)), for: visit)
    }

    private static func fields(of form: FormParameters) -> [HiddenField] {
        LogoutRequestReader.parameters.compactMap { name in form[name].map { HiddenField(name, $0) } }
    }

    private func checkAnswer(_ form: FormParameters, _ visit: Visit) throws(OAuthError) {
        try desk.forms.check(visit.request, as: visit.issuer)
        guard let token = form[FormGuard.field],
            desk.forms.isValid(token, for: Self.formName, in: visit.session.secrets)
        else { throw OAuthError(.accessDenied, "the form is not one of ours, or is too old", cause: "csrf token") }
    }

    /// What another site posts comes without our cookies (see `BrowserCookies`), and nobody would be signed in. Then the
    /// request comes once more, from a page of ours.
    private func detour(_ form: FormParameters, _ visit: Visit) -> ServerResponse? {
        guard visit.request.head.method == .post, visit.session.secrets.isEmpty, visit.session.logins.isEmpty,
            (try? desk.forms.check(visit.request, as: visit.issuer)) == nil
        else { return nil }
        var page = FormPostPage(
            action: visit.action(path), parameters: Self.fields(of: form), clientName: visit.issuer.identifier)
        // Whoever has proven himself is sent on at once.
        page.destination = form["post_logout_redirect_uri"].flatMap { PageURL(redirect: $0) }
        return desk.pages.response(page, for: visit)
    }
}
