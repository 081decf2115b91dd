import HTTPMessages
import OAuth
import Observability
import Primitives

/// The page where a user connects a device (RFC 8628 section 3.3): he enters the code that the device shows, logs in,
/// compares, and decides.
struct DeviceVerificationEndpoint: Endpoint {
    static let location = "/device"

    let path = DeviceVerificationEndpoint.location
    let methods: [HTTPRequest.Method] = [.get, .post]
    let isPublic = false
    let isForPeople = true

    let desk: InteractionDesk
    private let guesses = AttemptLimiter()

    /// RFC 8628 section 5.1: so many wrong codes are taken from one address within the window.
    static let wrongCodesAllowed = 10
    static let wrongCodeWindow = Duration.seconds(60)

    init(desk: InteractionDesk) {
        self.desk = desk
        desk.context.onReset { [guesses] in guesses.removeAll() }
    }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        await desk.answer(request, as: issuer) { (visit: inout Visit) async throws(AuthorizationRefusal) in
            let form = try refusing(to: nil) { () throws(OAuthError) in try self.form(of: request, as: issuer) }
            visit.uiLocales = form["ui_locales"]
            return form["decision"] == nil ? try await show(form, &visit) : try await decide(form, &visit)
        }
    }

    func advertise(in metadata: inout ServerMetadata) {}

    private func form(of request: ServerRequest, as issuer: PreparedIssuer) throws(OAuthError) -> FormParameters {
        if request.head.method == .post { try desk.forms.check(request, as: issuer) }
        let form = try PageForm.parameters(of: request)
        // A link decides nothing.
        guard request.head.method == .post || form["decision"] == nil else {
            throw OAuthError(.invalidRequest, "a decision is posted")
        }
        return form
    }

    /// RFC 8628 section 3.3.1: a link that holds the code saves typing it, and nothing else: the user still logs in,
    /// compares and decides.
    private func show(
        _ form: FormParameters, _ visit: inout Visit
    ) async throws(AuthorizationRefusal) -> ServerResponse {
        guard let typed = form["user_code"] else { return page(.enter(codeForm("", nil, visit)), visit) }
        switch try await search(for: typed, visit) {
        case .problem(let problem):
            return page(.enter(codeForm(typed, problem, visit)), visit)
        case .found(let code, let device):
            guard let login = try await login(in: &visit) else {
                return try await desk.logIn(thenShow: "\(path)?user_code=\(code.shown)", in: &visit)
            }
            return page(.confirm(confirmation(of: device, code, login, &visit)), visit)
        }
    }

    /// Who is at the browser. Where nobody is ever asked, it is the first user there is.
    private func login(in visit: inout Visit) async throws(AuthorizationRefusal) -> Login? {
        if let login = visit.session.current { return login }
        guard desk.context.configuration.allowances.contains(.automaticLogin),
            let user = desk.context.users.first
        else { return nil }
        return try await refusing(to: nil) { () async throws(OAuthError) in
            try await desk.flow.logIn(user, claims: [:], for: nil, in: &visit)
        }
    }
}

// MARK: - Deciding

extension DeviceVerificationEndpoint {
    private func decide(
        _ form: FormParameters, _ visit: inout Visit
    ) async throws(AuthorizationRefusal) -> ServerResponse {
        guard let code = form["user_code"].flatMap({ UserCode(typed: $0) }) else {
            throw AuthorizationRefusal(OAuthError(.invalidRequest, "the form lacks its code"))
        }
        guard let login = visit.session.current else {
            return try await desk.logIn(thenShow: "\(path)?user_code=\(code.shown)", in: &visit)
        }
        // What another site makes the browser send decides nothing, and neither does what was shown to another account.
        guard let token = form[FormGuard.field],
            desk.forms.isValid(token, for: Self.formName(code, login), in: visit.session.secrets)
        else {
            throw AuthorizationRefusal(
                OAuthError(.accessDenied, "the form is not one of ours, or was shown to another account", cause: "csrf")
            )
        }
        guard let decision = form["decision"], ["allow", "deny"].contains(decision) else {
            throw AuthorizationRefusal(OAuthError(.invalidRequest, "the decision is to allow or to deny"))
        }
        let approves = decision == "allow"
        let context = desk.context
        let outcome = try await refusing(to: nil) { () async throws(OAuthError) in
            try await DeviceVerification.decide(
                userCode: code.text, as: .init(login), approve: approves, in: context)
        }
        switch outcome {
        case .decided: return page(approves ? .done : .denied, visit)
        case .unknownCode, .decidedBefore: return page(.expired(visit.action(path)), visit)
        }
    }

    /// What the form is for: this code, in the hands of this user.
    private static func formName(_ code: UserCode, _ login: Login) -> String { "device \(code.text) \(login.id.text)" }

    private func confirmation(
        of device: DeviceAuthorization, _ code: UserCode, _ login: Login, _ visit: inout Visit
    ) -> DeviceConfirmation {
        let browser = visit.session.secret(from: desk.context.random)
        return DeviceConfirmation(
            action: visit.action(path),
            hiddenFields: [
                HiddenField("user_code", code.shown),
                HiddenField(FormGuard.field, desk.forms.token(for: Self.formName(code, login), in: browser)),
            ],
            clientName: desk.context.clients[device.clientID]?.displayName ?? device.clientID, userCode: code.shown,
            user: desk.context.users.person(of: login), scopes: device.scope.tokens)
    }
}

// MARK: - Looking for a device

extension DeviceVerificationEndpoint {
    private enum Search {
        case found(UserCode, DeviceAuthorization)
        case problem(DeviceCodeForm.Problem)
    }

    /// Looks for a device, and counts when there is none: whoever tries codes gets a few, and then has to wait.
    private func search(for typed: String, _ visit: Visit) async throws(AuthorizationRefusal) -> Search {
        let peer = visit.request.peer.address
        if let wait = guesses.begin([.init(peer, Self.wrongCodesAllowed)], at: visit.now, within: Self.wrongCodeWindow)
        {
            return .problem(.tooManyAttempts(retryAfterSeconds: wait.secondsToWait))
        }
        let context = desk.context
        guard let code = UserCode(typed: typed),
            let device = try await refusing(
                to: nil,
                { () async throws(OAuthError) in
                    try await DeviceVerification.waiting(for: code, in: context)
                })
        else { return .problem(.unknownCode) }
        guesses.giveBack(peer)
        return .found(code, device)
    }

    private func codeForm(_ typed: String, _ problem: DeviceCodeForm.Problem?, _ visit: Visit) -> DeviceCodeForm {
        DeviceCodeForm(action: visit.action(path), hiddenFields: [], userCode: typed, problem: problem)
    }

    private func page(_ step: DevicePage.Step, _ visit: Visit) -> ServerResponse {
        var response = desk.pages.response(DevicePage(step), for: visit)
        guard case .enter(let form) = step, let problem = form.problem else { return response }
        switch problem {
        case .unknownCode, .expiredCode:
            response.head.status = .notFound
        case .tooManyAttempts(let seconds):
            response.head.status = .tooManyRequests
            response.head.headerFields[.retryAfter] = String(seconds)
        }
        return response
    }
}
