import HTTPMessages
import Primitives
import SessionClient
import Synchronization

/// A resource server for tests: it takes some tokens and refuses all others.
final class ScriptedResource: OutboundRequests {
    private struct State {
        var good: Set<String>
        var seen: [String] = []
        var date: String?
        var failure: OutboundFailure?
        var before: (@Sendable () async -> Void)?
    }

    private let state: Mutex<State>

    init(taking tokens: Set<String>) { state = Mutex(State(good: tokens)) }

    /// The tokens that came, in their order.
    var seen: [String] { state.withLock { $0.seen } }

    /// What happens while the next request is on its way.
    func before(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.before = body } }

    func says(date: Timestamp) { state.withLock { $0.date = date.httpDate } }
    func fails(with failure: OutboundFailure) { state.withLock { $0.failure = failure } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        let before = state.withLock { state in
            defer { state.before = nil }
            return state.before
        }
        await before?()
        let (status, date, failure) = state.withLock { state in
            let token = String((request.headerFields[.authorization] ?? "").dropFirst("Bearer ".count))
            state.seen.append(token)
            return (state.good.contains(token) ? HTTPResponse.Status.ok : .unauthorized, state.date, state.failure)
        }
        if let failure { throw failure }
        var response = HTTPResponse(status: status)
        response.headerFields[.date] = date
        return (response, body)
    }
}
