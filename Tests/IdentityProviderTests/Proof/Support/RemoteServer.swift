import HTTPMessages
import Primitives
import Synchronization

/// Stands for the servers of clients: answers what a test says, and keeps what it was asked.
final class RemoteServer: OutboundRequests {
    private struct State {
        var answers: [String: Result<(Int, [UInt8]), OutboundFailure>] = [:]
        var asked: [String] = []
    }

    private let state = Mutex(State())

    /// Every URL that was asked, in order.
    var asked: [String] { state.withLock { $0.asked } }

    func answer(_ url: String, _ body: String, status: Int = 200) {
        state.withLock { $0.answers[url] = .success((status, Array(body.utf8))) }
    }

    func fail(_ url: String, _ failure: OutboundFailure) {
        state.withLock { $0.answers[url] = .failure(failure) }
    }

    func send(
        _ request: HTTPRequest, body: [UInt8]
    ) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        let url = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
        let answer = state.withLock { state in
            state.asked.append(url)
            return state.answers[url] ?? .failure(.unreachable)
        }
        // Others get a turn, as they do while a real server thinks.
        for _ in 0..<10 { await Task.yield() }
        let (status, body) = try answer.get()
        return (HTTPResponse(status: .init(code: status, reasonPhrase: "")), body)
    }
}
