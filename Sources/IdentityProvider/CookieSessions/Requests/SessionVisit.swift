import HTTPMessages
import OAuth
import Primitives

/// A request for a session on its way to an answer, with what was found out about it.
struct SessionVisit: Sendable {
    let request: ServerRequest
    let issuer: PreparedIssuer
    let now: Timestamp
    let transport: SessionTransport
    /// What clients' cookies are called here.
    let names: SessionCookieNames
    /// Whose session it is. Pages of its origins may read the answer.
    var client: SessionClient?
    /// Cookies that the answer sets or takes away, a refusal too.
    var cookies: [ResponseCookie] = []
    /// For what is found out about its sessions on the way: a token in a cookie says it to nobody else.
    let trace = FamilyTrace()

    /// The one cookie of a kind; `nil` when there is none.
    ///
    /// Which of two is meant nobody can tell: a browser sends both where one was set for a longer path, or by a neighbour
    /// on the domain (RFC 6265 section 8.6). To guess would spend a token that somebody else has put there.
    func cookie(
        _ kind: SessionCookie.Kind, of clientID: String?
    ) throws(OAuthError) -> (token: String, clientIDs: [String])? {
        let found = names.found(kind, in: request, of: clientID)
        guard let first = found.first else { return nil }
        guard found.count == 1 else {
            throw OAuthError(
                .ambiguousSession, "the cookies of several clients came; say with client_id which is meant")
        }
        guard first.values.count == 1, let token = first.values.first else {
            throw OAuthError(
                .ambiguousSession, "two different cookies of one name came; nothing was spent. DELETE takes them away")
        }
        return (token, first.clientIDs)
    }

    func asker(in context: ProviderContext) -> Asker {
        Asker(of: request, readersBy: context.configuration.crossOrigin)
    }

    /// Refuses what a page has sent that may not use the client's sessions. Where nobody knows the client, nothing is
    /// changed, and the pages of every client are told so.
    func refuseOtherSites() throws(OAuthError) {
        try SessionGuard.check(request, as: issuer, allowing: client?.origins ?? names.origins)
    }
}
