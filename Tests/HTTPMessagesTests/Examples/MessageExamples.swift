import HTTPMessages
import Synchronization
import Testing

/// The examples of the documentation: messages, and who sends them.
@Suite struct MessageExamples {
    @Test func names() {
        let isSame = HTTPField.Name("content-type") == .contentType
        let name = HTTPField.Name("not a token")
        #expect(isSame && name == nil)
        let field = HTTPField(name: .accept, value: "application/json")
        #expect(HTTPFields([field])[.accept] == "application/json")
    }

    @Test func fields() {
        var fields: HTTPFields = [.contentType: "application/json"]
        fields[.cacheControl] = "no-store"
        fields.append(name: .setCookie, value: "a=1")
        fields.append(name: .setCookie, value: "b=2")
        let cookies = fields[values: .setCookie]
        #expect(fields.count == 4 && cookies == ["a=1", "b=2"])
    }

    @Test func requests() {
        let request = HTTPRequest(
            method: .get, scheme: "https", authority: "api.example", path: "/account",
            headerFields: [.accept: "application/json"])
        #expect(request.headerFields.contains(.accept))
        let report = HTTPRequest.Method("REPORT")
        #expect(report?.rawValue == "REPORT")
    }

    @Test func responses() {
        let response = HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"])
        #expect(response.status.code == 200)
        let teapot = HTTPResponse.Status(code: 418, reasonPhrase: "I'm a teapot")
        #expect("\(teapot)" == "418 I'm a teapot")
    }

    @Test func failures() {
        let failure = OutboundFailure.unreachable
        print(failure)
        #expect("\(failure)" == "the server cannot be reached")
    }

    @Test func transports() async {
        let counter = Counter()
        let requests = CountingRequests(inner: .none, counter: counter)
        let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/")
        await #expect(throws: OutboundFailure.notAllowed) { try await requests.send(request, body: []) }
        #expect(counter.count == 1)
    }

    @Test func noTransport() async {
        let requests: any OutboundRequests = .none
        let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/")
        await #expect(throws: OutboundFailure.notAllowed) { try await requests.send(request, body: []) }
    }
}

final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }
    func increment() { value.add(1, ordering: .relaxed) }
}

struct CountingRequests: OutboundRequests {
    let inner: any OutboundRequests
    let counter: Counter
    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        counter.increment()
        return try await inner.send(request, body: body)
    }
}
