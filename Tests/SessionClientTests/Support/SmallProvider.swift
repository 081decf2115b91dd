import HTTPMessages
import Primitives
import SessionClient
import Synchronization

/// A provider in a few lines, with its metadata: grants tokens by number, takes them back, and can be out of reach.
final class SmallProvider: OutboundRequests {
    private struct State {
        var members: JSONObject
        var requests: [ScriptedRequest] = []
        var isReachable = true
        var count = 0
        var gate: Gate?
        var idToken: String?
    }

    private let state: Mutex<State>

    init(_ more: JSONObject = [:]) {
        var members: JSONObject = [
            "issuer": "https://id.example", "token_endpoint": "https://id.example/token",
            "authorization_endpoint": "https://id.example/authorize",
            "revocation_endpoint": "https://id.example/revoke", "end_session_endpoint": "https://id.example/logout",
        ]
        for (name, value) in more { members[name] = value }
        state = Mutex(State(members: members))
    }

    var requests: [ScriptedRequest] { state.withLock { $0.requests } }
    var paths: [String] { requests.map { $0.head.path ?? "" } }

    func change(_ member: String, to value: JSON?) { state.withLock { $0.members[member] = value } }
    func isReachable(_ value: Bool) { state.withLock { $0.isReachable = value } }
    func adds(idToken: String?) { state.withLock { $0.idToken = idToken } }
    /// Holds whoever asks for the metadata.
    func holdsMetadata(at gate: Gate) { state.withLock { $0.gate = gate } }

    func send(_ head: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        let request = ScriptedRequest(head: head, body: body)
        let (isReachable, members, number, gate, idToken) = state.withLock { state in
            state.requests.append(request)
            if head.path == "/token" { state.count += 1 }
            return (state.isReachable, state.members, state.count, state.gate, state.idToken)
        }
        guard isReachable else { throw .unreachable }
        switch head.path {
        case "/.well-known/openid-configuration":
            await gate?.pass()
            return try ScriptedReply.json(JSON.object(members).text()).result.get()
        case "/token":
            let kind = request[.dpop] == nil ? "Bearer" : "DPoP"
            var members: JSONObject = [
                "access_token": .string("a\(number)"), "token_type": .string(kind), "expires_in": 3600,
                "refresh_token": .string("r\(number)"),
            ]
            members["id_token"] = idToken.map(JSON.string)
            return try ScriptedReply.json(JSON.object(members).text()).result.get()
        case "/revoke": return try ScriptedReply.status(200).result.get()
        default: return try ScriptedReply.status(404).result.get()
        }
    }
}
