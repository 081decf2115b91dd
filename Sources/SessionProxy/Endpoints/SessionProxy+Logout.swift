import HTTPMessages
import OAuth
import Observability
import Primitives
import SessionClient

/// Logouts: here or everywhere, and at the provider.
extension SessionProxy {
    /// Ends the session, gives its tokens back, and has the next login ask the user who he is. Only a page of this origin may have
    /// it done, and no link.
    ///
    /// A script gets to know where the login at the provider can be ended too; a form's browser is sent there. That browser takes the
    /// ID token along (OpenID Connect RP-Initiated Logout section 2: RECOMMENDED), so that the provider knows whose login ends: where a
    /// navigation is redirected to another origin no script can see. A script's address is without it, and the provider asks the user.
    func logout(_ request: ProxyRequest) async -> ServerResponse {
        guard request.head.method == .post else { return ProxyAnswer.methodNotAllowed("POST") }
        guard let everywhere = Self.asksForEverywhere(request) else {
            return ProxyAnswer.error(.badRequest, "invalid_request", "everywhere is true, or is not there")
        }
        var ended: [BrowserSession] = []
        var shown: [BrowserSession] = []
        // Of two nobody knows which is a neighbour's: who signs out wants neither, and whoever shows a session may end it.
        for identifier in cookies.sessions(in: request.fields) {
            guard let session = sessions.remove(SessionTable.Digest(of: identifier)) else { continue }
            ended.append(session)
            shown.append(session)
            if everywhere, let subject = session.subject { ended += sessions.remove(ofUser: subject) }
        }
        // Of several nobody knows whose login at the provider this browser has.
        let isNavigation = request.fields[.secFetchMode].map { sameText($0, "navigate") } ?? false
        let idToken = isNavigation && shown.count == 1 ? await shown[0].manager.idToken : nil
        await Self.end(ended)
        logger.info("signed out", [LogField("sessions", ended.count)])
        let endSession = await endSessionURL(
            idToken: idToken.flatMap { $0.count <= configuration.limits.idTokenBytes ? $0 : nil })
        var response: ServerResponse
        if isNavigation {
            response = endSession.map { ProxyAnswer.redirect(to: $0) } ?? signedOutPage
        } else {
            var body: JSONObject = ["signed_in": false, "ended": .number(JSONNumber(Int64(ended.count)))]
            body["end_session_url"] = endSession.map { .string($0) }
            body["login"] = .string(configuration.paths.login)
            response = ProxyAnswer.json(.ok, .object(body))
        }
        response.set(cookies.expired(cookies.sessionName))
        response.set(cookies.signedOut)
        return response
    }

    /// `nil`: nobody knows what is asked for.
    private static func asksForEverywhere(_ request: ProxyRequest) -> Bool? {
        guard let query = try? FormParameters(parsing: request.query.span) else { return nil }
        let isForm = request.fields[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
        let body = request.server.body
        let form = isForm ? try? FormParameters(parsing: body.span) : FormParameters()
        guard let form else { return nil }
        let values = query[values: "everywhere"] + form[values: "everywhere"]
        guard values.allSatisfy({ sameText($0, "true") || sameText($0, "false") }) else { return nil }
        return values.contains { sameText($0, "true") }
    }

    /// Nobody waits for the provider to be signed out here. Who has a session has one because the provider said what it is.
    private func endSessionURL(idToken: Secret?) async -> String? {
        guard let tokens = await provider.lastKnown else { return nil }
        return EndSessionRequest(at: tokens.server, clientID: provider.clientID, idToken: idToken, random: random)?.url
    }

    private var signedOutPage: ServerResponse {
        let link = LocalPath(configuration.paths.login) ?? .root
        return ProxyAnswer.page(
            .ok, ProxyPage(title: "You are signed out", text: "Nobody is signed in here.", link: (link, "Sign in")))
    }
}
