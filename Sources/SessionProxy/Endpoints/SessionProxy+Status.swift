import HTTPMessages
import Primitives
import SessionClient

/// Who is signed in, and until when.
extension SessionProxy {
    /// A page that asks so every minute does not use the session: else a forgotten tab would keep it for ever.
    func status(_ request: ProxyRequest) async -> ServerResponse {
        guard request.head.method == .get || request.head.method == .head else {
            return ProxyAnswer.methodNotAllowed("GET, HEAD")
        }
        switch session(of: request, isUse: false) {
        case .ambiguous: return Self.ambiguous
        case .none:
            return ProxyAnswer.json(.ok, ["signed_in": false, "login": .string(configuration.paths.login)])
        case .found(let session, _, let idleEnd, let end):
            var body: JSONObject = ["signed_in": true]
            body["sub"] = session.subject.map { .string($0) }
            body["claims"] = .object(session.claims)
            body["began_at"] = Self.seconds(session.began)
            body["idle_ends_at"] = Self.seconds(idleEnd)
            body["ends_at"] = Self.seconds(end)
            body["logout"] = .string(configuration.paths.logout)
            return ProxyAnswer.json(.ok, .object(body))
        }
    }

    private static func seconds(_ moment: Timestamp) -> JSON { .number(JSONNumber(moment.secondsSinceEpoch)) }

    /// What a page may know of its user: names to greet him with, and no more than the scope brought.
    static func shown(_ identity: IDTokenClaims?) -> JSONObject {
        var shown: JSONObject = [:]
        for name in ["name", "preferred_username", "email"] {
            if let text = identity?.members[name]?.string { shown[name] = .string(text) }
        }
        return shown
    }
}
