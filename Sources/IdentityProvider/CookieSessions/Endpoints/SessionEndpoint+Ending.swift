import HTTPMessages
import OAuth
import Primitives

/// `DELETE /session`.
extension SessionEndpoint {
    /// Ends every session whose tokens the request brings, and takes their cookies away.
    ///
    /// Whoever signs out means the session and not the copy of a token that he happens to have: a refresh token that was
    /// replaced ends it as well. What is malformed, or there twice, keeps nobody from signing out.
    func end(in visit: inout SessionVisit) async throws(OAuthError) -> JSON {
        let named = visit.request.query?["client_id"]
        visit.client = desk.client(named)
        let presented = SessionCookie.Kind.allCases.flatMap { kind in
            visit.names.found(kind, in: visit.request, of: named).map { (kind, $0) }
        }
        let ending = try await sessions(in: presented, at: visit.now)
        await note(presented, ending, in: visit)
        let clients = clients(of: presented, ending, named: visit.client)
        if visit.client == nil { visit.client = clients.first }
        // First of all, and for each of them.
        try visit.refuseOtherSites()
        for client in try await clients + owners(ofCookiesNamedAsThoseOf: clients, in: visit) {
            try SessionGuard.check(visit.request, as: visit.issuer, allowing: client.origins)
        }
        var ended = Ended.nothing
        for terms in ending {
            ended = max(ended, try await end(terms, in: visit))
        }
        visit.cookies = clients.flatMap {
            SessionCookies(of: $0.id, $0.settings, by: visit.transport).expired
        }
        return ["ended": .string(ended.name)]
    }

    /// Which sessions and which refresh token the request brought. One whose access token alone is left, and too old, is
    /// named, too, although nothing of it ends.
    private func note(
        _ presented: [(SessionCookie.Kind, PresentedCookies)], _ ending: [FamilyTerms], in visit: SessionVisit
    ) async {
        for (kind, cookies) in presented {
            // Where a session of theirs ends, its access token has been looked at already, or need not be.
            let endsTheirs = ending.contains { terms in
                cookies.clientIDs.contains { sameText($0, terms.clientID) }
            }
            for token in cookies.values {
                switch kind {
                case .access where endsTheirs: break
                case .access: await desk.noteSession(of: token, inCookieOf: cookies.clientIDs, in: visit)
                case .refresh:
                    guard let read = desk.context.refreshTokens.read(token), visit.trace.record == nil,
                        ending.contains(where: { $0.id == read.family })
                    else { continue }
                    visit.trace.present(read.family, read.node)
                }
            }
        }
        for terms in ending { visit.trace.concern(terms.id) }
    }

    /// How far it went.
    private enum Ended: Int, Comparable {
        case nothing, session, login

        var name: String {
            switch self {
            case .nothing: "nothing"
            case .session: "session"
            case .login: "login"
            }
        }

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The families of the tokens that are ours, each once, if they belong to the client of the cookie.
    private func sessions(
        in presented: [(SessionCookie.Kind, PresentedCookies)], at now: Timestamp
    ) async throws(OAuthError) -> [FamilyTerms] {
        var found: [FamilyTerms] = []
        for (kind, cookies) in presented {
            for value in cookies.values {
                guard let id = try await familyID(of: value, kind, at: now),
                    !found.contains(where: { $0.id == id }), let terms = try await desk.family(id)?.terms,
                    cookies.clientIDs.contains(where: { sameText($0, terms.clientID) })
                else { continue }
                found.append(terms)
            }
        }
        return found
    }

    private func familyID(
        of token: String, _ kind: SessionCookie.Kind, at now: Timestamp
    ) async throws(OAuthError) -> FamilyID? {
        switch kind {
        case .refresh: return desk.context.refreshTokens.read(token)?.family
        case .access: return try await desk.reader.active(token, at: now)?.family?.id
        }
    }

    /// The clients whose sessions are in the cookies that will be taken away: where two clients' cookies have one name, it may be
    /// another's than the one that was named.
    private func owners(
        ofCookiesNamedAsThoseOf clients: [SessionClient], in visit: SessionVisit
    ) async throws(OAuthError) -> [SessionClient] {
        let names = clients.flatMap { client in
            let cookies = SessionCookies(of: client.id, client.settings, by: visit.transport)
            return SessionCookie.Kind.allCases.map { cookies[$0].name }
        }
        let presented = SessionCookie.Kind.allCases.flatMap { kind in
            visit.names.found(kind, in: visit.request, of: nil)
                .filter { cookies in names.contains { sameText($0, cookies.name) } }.map { (kind, $0) }
        }
        return try await sessions(in: presented, at: visit.now).compactMap { desk.client($0.clientID) }
    }

    /// Those whose cookies came, or whose sessions end, or who was named.
    private func clients(
        of presented: [(SessionCookie.Kind, PresentedCookies)], _ ending: [FamilyTerms], named: SessionClient?
    ) -> [SessionClient] {
        var ids = named.map { [$0.id] } ?? []
        ids += ending.map(\.clientID)
        // A name that several clients have: it is taken away as the one of them has it whose session it was.
        for (_, cookies) in presented
        where !cookies.clientIDs.contains(where: { id in ids.contains { sameText($0, id) } }) {
            ids += cookies.clientIDs.prefix(1)
        }
        var clients: [SessionClient] = []
        for id in ids where !clients.contains(where: { sameText($0.id, id) }) {
            if let client = desk.client(id) { clients.append(client) }
        }
        return clients
    }

    private func end(_ terms: FamilyTerms, in visit: SessionVisit) async throws(OAuthError) -> Ended {
        let now = visit.now
        try await desk.context.storing { store throws(StoreError) in
            _ = try await store.judge(terms.id) { $0.end(.loggedOut, at: now) }
        }
        desk.note("session.ended", terms, in: visit)
        guard desk.client(terms.clientID)?.settings.signOut == .login, let loginID = terms.loginID else {
            return .session
        }
        let ended = try await LoginEnding(context: desk.context)
            .end([loginID], .loggedOut, as: visit.issuer.issuer, at: now)
        visit.trace.noteEnd(of: ended.map(\.id))
        return .login
    }
}
