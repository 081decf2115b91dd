import HTTPMessages
import OAuth
import Synchronization

/// The way out of a provider under test: nothing is sent, everything is kept, and the test says what is answered.
final class RecordedRequests: OutboundRequests {
    /// A request that the provider wanted to send.
    struct Sent: Sendable {
        let request: HTTPRequest
        let body: [UInt8]

        var url: String { "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")" }

        var form: FormParameters { (try? FormParameters(parsing: body.span)) ?? FormParameters() }
    }

    private let kept = Mutex<[Sent]>([])
    private let answer: @Sendable (HTTPRequest) async throws(OutboundFailure) -> HTTPResponse

    init(
        _ answer: @escaping @Sendable (HTTPRequest) async throws(OutboundFailure) -> HTTPResponse = { _ in
            HTTPResponse(status: .ok)
        }
    ) {
        self.answer = answer
    }

    var sent: [Sent] { kept.withLock { $0 } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        kept.withLock { $0.append(Sent(request: request, body: body)) }
        return (try await answer(request), [])
    }
}
