import HTTPMessages
import Primitives
import Synchronization

/// A server with a session in cookies, in a few lines: `refresh=1` gets `access=2` and `refresh=2`.
final class CookieDesk: OutboundRequests {
    struct Seen: Sendable {
        let method: String
        let path: String
        let cookie: String?
        let origin: String?
    }

    private struct State {
        var newest = 1
        var isOver = false
        var seen: [Seen] = []
        var answer: (HTTPResponse, [UInt8])?
    }

    private let state = Mutex(State())
    private let time: VirtualTime

    init(_ time: VirtualTime) { self.time = time }

    var seen: [Seen] { state.withLock { $0.seen } }

    /// Every answer from now on.
    func answers(_ status: Int, _ body: String, setting cookies: [String] = []) {
        var response = HTTPResponse(status: HTTPResponse.Status(code: status, reasonPhrase: ""))
        response.headerFields[values: .setCookie] = cookies
        state.withLock { $0.answer = (response, Array(body.utf8)) }
    }

    static func fields(_ number: Int) -> [String] {
        [
            "access=a\(number); Path=/; HttpOnly; Max-Age=3600; SameSite=Lax",
            "refresh=r\(number); Path=/session; HttpOnly; Max-Age=86400; SameSite=Strict",
        ]
    }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        let seen = Seen(
            method: request.method.rawValue, path: request.path ?? "", cookie: request.headerFields[.cookie],
            origin: request.headerFields[.origin])
        return state.withLock { state in
            state.seen.append(seen)
            if let answer = state.answer { return answer }
            var response = HTTPResponse(status: .ok)
            switch (seen.method, seen.path) {
            case ("DELETE", "/session"): state.isOver = true
            case ("POST", "/session/refresh"):
                let isGood = (seen.cookie ?? "").contains("refresh=r\(state.newest)")
                guard isGood, !state.isOver else {
                    return (HTTPResponse(status: .badRequest), Array(#"{"error":"invalid_grant"}"#.utf8))
                }
                state.newest += 1
                response.headerFields[values: .setCookie] = Self.fields(state.newest)
            case ("GET", "/resource"):
                if seen.cookie?.contains("access=a\(state.newest)") != true { response.status = .unauthorized }
            default: response.status = .notFound
            }
            return (response, Array("{}".utf8))
        }
    }
}
