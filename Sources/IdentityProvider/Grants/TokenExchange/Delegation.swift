import OAuth
import Primitives

/// Who acts for whom (RFC 8693 sections 1.1 and 4). A value without store and clock.
///
/// With an actor token, the issued token is one of delegation: it says whom it is about in `sub` and who acts in `act`,
/// and those who acted before stand inside. Without one it is one of impersonation: nobody can tell it from a token that
/// the subject asked for, and nothing is added; what the subject token says of actors stays.
struct Delegation: Sendable {
    let subject: ExchangedToken
    let actor: ExchangedToken?
    let clientID: String
    /// Our own name, which `may_act` may want.
    let issuer: String

    /// Those who acted, the one who acts now included. Each exchange adds one, and tokens have to stay readable.
    static let maximumActorCount = 8

    /// The value of `act`.
    func claim() throws(OAuthError) -> JSON? {
        guard let actor else { return subject.actor }
        var claim: JSONObject = ["sub": .string(actor.subject)]
        if let issuer = actor.issuer { claim["iss"] = .string(issuer) }
        // RFC 8693 section 4.1: the outermost is the current actor, and those inside are the former ones.
        claim["act"] = subject.actor
        let result = JSON.object(claim)
        guard Self.actorCount(in: result) <= Self.maximumActorCount else {
            throw OAuthError(.invalidRequest, "the subject_token was passed on \(Self.maximumActorCount) times already")
        }
        return result
    }

    private static func actorCount(in claim: JSON) -> Int {
        var count = 0
        var rest: JSON? = claim
        while let actor = rest, count <= maximumActorCount {
            count += 1
            rest = actor["act"]
        }
        return count
    }

    /// RFC 8693 section 4.4: a subject token that says who may act is for nobody else. Who acts is the actor of the
    /// actor token, or the client when there is none.
    func check() throws(OAuthError) {
        guard let mayAct = subject.mayAct else { return }
        guard let wanted = mayAct.object, !wanted.isEmpty, isMeant(by: wanted) else {
            throw OAuthError(
                .invalidRequest, "the subject_token names another party in may_act", cause: "may_act does not match")
        }
    }

    private func isMeant(by wanted: JSONObject) -> Bool {
        let names = ["sub", "iss", "client_id"]
        // What is not understood cannot be checked, and so is not met.
        guard wanted.names.allSatisfy(names.contains) else { return false }
        let own: [String: String?] =
            if let actor {
                ["sub": actor.subject, "iss": actor.issuer ?? issuer, "client_id": actor.clientID]
            } else {
                ["sub": clientID, "iss": issuer, "client_id": clientID]
            }
        return wanted.allSatisfy { name, value in
            guard let text = value.string, let mine = own[name] ?? nil else { return false }
            return sameText(text, mine)
        }
    }
}
