import HTTPMessages
import OAuth
import Primitives

/// `POST /session`.
extension SessionEndpoint {
    func begin(in visit: inout SessionVisit) async throws(OAuthError) -> JSON {
        let form = try SessionForm.parameters(of: visit.request)
        let named = desk.client(form["client_id"] ?? onlyClient(in: visit))
        visit.client = named
        try visit.refuseOtherSites()
        guard let client = named else {
            throw OAuthError(
                .unauthorizedClient,
                form["client_id"] == nil
                    ? "client_id is missing" : "client_id names no client that may have sessions in cookies",
                cause: "no cookie_session")
        }
        // Before anything is spent.
        let cookies = try SessionCookies(settable: client, by: visit.transport)
        let way = try way(of: form, for: client)
        let request = TokenRequest(
            client: client.client, form: form, issuer: visit.issuer, now: visit.now,
            asker: visit.asker(in: desk.context),
            override: desk.context.overrides.next(at: path, for: client.id), trace: visit.trace)
        let tokens =
            switch way {
            case .password: try await passwords.answer(request, from: visit.request.peer.address)
            case .code: try await codes.answer(request)
            }
        return try await hand(tokens, to: client, cookies, in: &visit)
    }

    /// Where there is but one, nobody has to name it.
    private func onlyClient(in visit: SessionVisit) -> String? {
        visit.names.all.count == 1 ? visit.names.all.first : nil
    }

    private func way(
        of form: FormParameters, for client: SessionClient
    ) throws(OAuthError) -> CookieSessionSettings.SignIn {
        let hasCode = form["code"] != nil
        let hasPassword = form["username"] != nil || form["password"] != nil
        guard hasCode != hasPassword else {
            throw OAuthError(
                .invalidRequest,
                hasCode
                    ? "there are a code and a password; one is enough"
                    : "username and password are missing, or code, code_verifier and redirect_uri")
        }
        let way: CookieSessionSettings.SignIn = hasCode ? .code : .password
        guard client.settings.signIn.contains(way), way == .password || client.client.mayUse(codes.type) else {
            throw OAuthError(
                .unauthorizedClient, "this client begins no session like that", cause: "sign_in \(way.rawValue)")
        }
        return way
    }

    /// What does not fit into a cookie is no session: it ends before anybody has it.
    private func hand(
        _ tokens: TokenResponse, to client: SessionClient, _ cookies: SessionCookies, in visit: inout SessionVisit
    ) async throws(OAuthError) -> JSON {
        guard let id = AccessTokenIdentifier.family(in: tokens.accessToken.identifier),
            let terms = try await desk.family(id)?.terms
        else {
            throw OAuthError(.invalidGrant, "what this stands for was revoked", cause: "family ended")
        }
        do throws(OAuthError) {
            try desk.hand(tokens, of: terms, to: client, cookies, in: &visit)
        } catch {
            visit.cookies = []
            let now = visit.now
            try await desk.context.storing { store throws(StoreError) in
                _ = try await store.judge(id) { $0.end(.ended, at: now) }
            }
            throw error
        }
        desk.metrics.countIssued(to: client.client, by: Self.metricsName)
        desk.note("session.begun", terms, in: visit)
        return desk.facts(tokens, of: terms, for: client.client, in: visit)
    }

    private static let metricsName = "cookie_session"
}
