import HTTPMessages
import Synchronization

/// Answers requests by a handler that is made when it is known where the server listens, and until then by asking for patience.
package final class LateHandler: RequestHandler {
    private let handler = Mutex<(any RequestHandler)?>(nil)

    package init() {}

    package func begin(_ handler: any RequestHandler) { self.handler.withLock { $0 = handler } }

    package func respond(to request: ServerRequest) async -> ServerResponse {
        guard let handler = handler.withLock({ $0 }) else {
            return ServerResponse(
                status: .serviceUnavailable, headerFields: [.retryAfter: "1", .cacheControl: "no-store"])
        }
        return await handler.respond(to: request)
    }
}
