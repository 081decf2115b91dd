import HTTPMessages
import Testing

@Suite("Requests of our own")
struct OutboundRequestsTests {
    @Test(arguments: [HTTPRequest.Method.get, .post])
    func areRefusedWhereThereAreNone(method: HTTPRequest.Method) async {
        let requests: any OutboundRequests = .none
        let request = HTTPRequest(method: method, scheme: "https", authority: "client.example", path: "/jwks.json")
        await #expect(throws: OutboundFailure.notAllowed) { try await requests.send(request, body: []) }
    }

    @Test func failuresSayWhatHappened() {
        #expect(Set(OutboundFailure.allCases.map(\.description)).count == OutboundFailure.allCases.count)
    }
}
