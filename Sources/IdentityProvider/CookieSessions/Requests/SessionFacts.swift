import OAuth
import Primitives

/// What is told of a session: whose it is, and until when. No token is in it.
struct SessionFacts: Sendable {
    let client: Client
    let terms: FamilyTerms
    let scope: Scope
    /// Of the access token.
    let expires: Timestamp

    func json(in context: ProviderContext, at now: Timestamp) -> JSON {
        var json: JSONObject = [
            "sub": .string(context.subjects.subject(of: terms.userID, for: client)),
            "client_id": .string(client.id),
            "scope": .string(scope.text),
            "expires_at": .number(JSONNumber(expires.secondsSinceEpoch)),
            "expires_in": .number(JSONNumber(max(0, expires.secondsSinceEpoch - now.secondsSinceEpoch))),
        ]
        json["username"] = context.users[id: terms.userID].map { .string($0.username) }
        json["sid"] = terms.loginID.map { .string($0.text) }
        json["auth_time"] = terms.authentication.map { .number(JSONNumber($0.moment.secondsSinceEpoch)) }
        let end = context.rotation(for: client).expiry(of: terms)
        json["session_expires_at"] = end.map { .number(JSONNumber($0.secondsSinceEpoch)) }
        return .object(json)
    }
}
