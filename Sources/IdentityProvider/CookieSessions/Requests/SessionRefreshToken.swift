import OAuth
import Primitives

/// The refresh token that a request brings, in a cookie or in its body, and what it is one of.
struct SessionRefreshToken: Sendable {
    let text: String
    let familyID: FamilyID
    let node: UInt32
    /// `nil`: nothing is known of it any more.
    let family: Family?
    let client: SessionClient
    let isInCookie: Bool

    /// Finds it, and refuses what a page of another site has sent. Nothing is spent by that, and nothing judged.
    ///
    /// One that a client has in its body goes on in cookies here, and what a cookie holds is taken at the token endpoint:
    /// but never both at once, for then nobody can tell which is meant.
    static func find(
        in form: FormParameters, at desk: SessionDesk, in visit: inout SessionVisit
    ) async throws(OAuthError) -> SessionRefreshToken {
        let named = form["client_id"]
        visit.client = desk.client(named)
        let found: Found
        do throws(OAuthError) {
            found = try self.found(in: form, of: named, visit)
        } catch {
            // Another site learns nothing of the cookies, not even that there are none.
            try visit.refuseOtherSites()
            throw error
        }
        let read = desk.context.refreshTokens.read(found.text)
        var family: Family?
        if let read {
            visit.trace.present(read.family, read.node)
            family = try await desk.family(read.family)
        }
        let client = desk.client(family?.terms.clientID ?? named ?? found.clientIDs?.first)
        if visit.client == nil { visit.client = client }
        try visit.refuseOtherSites()
        guard let read else { throw found.clientIDs == nil ? RotationPolicy.refused("not ours") : malformed }
        guard let client else { throw RotationPolicy.refused("no cookie_session") }
        if let named, !sameText(named, client.id) { throw RotationPolicy.refused("token of another client") }
        // A cookie of one client does not carry the token of another.
        if let owners = found.clientIDs, !owners.contains(where: { sameText($0, client.id) }) {
            throw RotationPolicy.refused("token of another client")
        }
        return SessionRefreshToken(
            text: found.text, familyID: read.family, node: read.node, family: family, client: client,
            isInCookie: found.clientIDs != nil)
    }

    private struct Found {
        let text: String
        /// `nil`: it came in the body.
        let clientIDs: [String]?
    }

    private static func found(
        in form: FormParameters, of named: String?, _ visit: SessionVisit
    ) throws(OAuthError) -> Found {
        let cookie = try visit.cookie(.refresh, of: named)
        switch (cookie, form["refresh_token"]) {
        case (let cookie?, nil): return Found(text: cookie.token, clientIDs: cookie.clientIDs)
        case (nil, let text?):
            guard named != nil else {
                throw OAuthError(.invalidRequest, "client_id is missing, which a token in the body comes with")
            }
            return Found(text: text, clientIDs: nil)
        case (.some, .some):
            throw OAuthError(
                .ambiguousSession, "a refresh token came in a cookie and another in the body; neither was spent")
        case (nil, nil):
            throw OAuthError(.noSession, "there is no cookie with a refresh token; POST /session begins a session")
        }
    }

    private static let malformed = OAuthError(
        .malformedCookie, "the cookie of the refresh token holds none; nothing was spent. DELETE /session takes it away"
    )
}
