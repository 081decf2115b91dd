import HTTPMessages
import Networking
import SessionProxy

/// The upstream at the other end of a network.
struct NetworkUpstream: Upstream {
    let client: OutboundClient

    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> UpstreamAnswer {
        let (head, stream) = try await client.open(request, body: body)
        return UpstreamAnswer(head: head, body: Content(stream))
    }

    /// Gives the answer up when nobody has it any more: a browser may be gone before the first piece is read.
    private final class Content: UpstreamBody {
        private let stream: ResponseStream

        init(_ stream: ResponseStream) { self.stream = stream }

        deinit { stream.close() }

        func next() async throws(OutboundFailure) -> [UInt8]? {
            do throws(NetworkingError) { return try await stream.next() } catch { throw OutboundFailure(error) }
        }

        func close() { stream.close() }
    }
}
