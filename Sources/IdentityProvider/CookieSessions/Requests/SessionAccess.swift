import OAuth
import Primitives

/// The access token that a request brings in a cookie.
struct SessionAccess: Sendable {
    let desk: SessionDesk

    static let noSession = OAuthError(.noSession, "there is no cookie of a session; POST /session begins one")
    static let over = OAuthError(
        .invalidToken,
        "the access token in the cookie is not good (any more); POST /session/refresh gets another while the session lasts"
    )

    /// `nil` when there is no cookie.
    func token(ofCookieIn visit: inout SessionVisit) async throws(OAuthError) -> AccessTokenReader.Active? {
        let named = visit.request.query?["client_id"]
        visit.client = desk.client(named)
        guard let cookie = try visit.cookie(.access, of: named) else { return nil }
        // Whose it is, whatever is in it: for the record, and so that no other client's pages read the refusal.
        if visit.client == nil, cookie.clientIDs.count == 1 { visit.client = desk.client(cookie.clientIDs.first) }
        try check(cookie.token)
        guard let active = try await desk.reader.active(cookie.token, at: visit.now) else {
            // The refresh that comes next is of the same session: a record says so.
            await desk.noteSession(of: cookie.token, inCookieOf: cookie.clientIDs, in: visit)
            throw Self.over
        }
        // A cookie of one client does not carry the token of another: whoever may read the one's may not read the other's.
        guard cookie.clientIDs.contains(where: { sameText($0, active.client.id) }),
            let client = desk.client(active.client.id)
        else { throw Self.over }
        visit.client = client
        if let id = active.family?.id { visit.trace.concern(id) }
        // One that is bound to a key is nobody's without a proof, and none comes with a cookie.
        guard active.facts.confirmation == nil, active.family != nil else { throw Self.over }
        return active
    }

    /// Whether it can be a token at all. The rest is up to whoever reads it.
    private func check(_ text: String) throws(OAuthError) {
        guard !AccessTokenReader.looksLikeToken(text) else { return }
        throw OAuthError(.malformedCookie, "the cookie of the access token holds none; DELETE /session takes it away")
    }
}

extension AccessTokenReader {
    /// Whether a text has the form of an access token, whoever made it.
    static func looksLikeToken(_ text: String) -> Bool {
        isOpaque(text)
            || text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).count == 3
    }
}
