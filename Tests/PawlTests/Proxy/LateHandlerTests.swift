import HTTPMessages
import Testing
import pawl

/// What is answered between the moment that the server listens and the one that there is a proxy.
@Suite struct LateHandlerTests {
    private struct Greeter: RequestHandler {
        func respond(to request: ServerRequest) async -> ServerResponse {
            ServerResponse(status: .ok, body: .bytes(Array("hello".utf8)))
        }
    }

    private let request = ServerRequest(
        head: HTTPRequest(method: .get, scheme: "http", authority: "app.example", path: "/"),
        peer: .init(address: "192.0.2.7", isLoopback: false, isEncrypted: false), id: "request-1")

    /// RFC 9110 section 15.6.4: who is not ready says when to come again. No cache is to say so afterwards.
    @Test func whoeverIsTooEarlyIsToldToComeAgain() async {
        let answer = await LateHandler().respond(to: request)
        #expect(answer.head.status == .serviceUnavailable)
        #expect(answer.head.headerFields[.retryAfter] == "1" && answer.head.headerFields[.cacheControl] == "no-store")
        guard case .none = answer.body else {
            Issue.record("there is nothing to say yet")
            return
        }
    }

    @Test func onceItHasBegunTheHandlerAnswers() async {
        let late = LateHandler()
        _ = await late.respond(to: request)
        late.begin(Greeter())
        let answer = await late.respond(to: request)
        #expect(answer.head.status == .ok && answer.head.headerFields[.retryAfter] == nil)
        guard case .bytes(Array("hello".utf8)) = answer.body else {
            Issue.record("another answered")
            return
        }
    }
}
