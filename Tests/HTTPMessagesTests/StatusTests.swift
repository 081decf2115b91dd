import HTTPMessages
import Testing

@Suite("Statuses and methods")
struct StatusTests {
    @Test
    func areTheSameWhenTheirCodesAre() {
        #expect(HTTPResponse.Status(code: 200, reasonPhrase: "Fine") == .ok)
        #expect(HTTPResponse.Status(code: 201, reasonPhrase: "OK") != .ok)
        #expect(HTTPResponse.Status(code: 200, reasonPhrase: "Fine").hashValue == HTTPResponse.Status.ok.hashValue)
    }

    @Test
    func describeThemselves() {
        #expect(HTTPResponse.Status.notFound.description == "404 Not Found")
        #expect(HTTPResponse.Status(code: 299, reasonPhrase: "").description == "299")
    }

    /// RFC 9110 section 9.1: a method is case-sensitive.
    @Test
    func methodsInSmallLettersAreOthers() {
        #expect(HTTPRequest.Method("GET") == .get)
        #expect(HTTPRequest.Method("get") != .get)
    }

    @Test
    func aStatusHasThreeDigits() async {
        await #expect(processExitsWith: .failure) { _ = HTTPResponse.Status(code: 99, reasonPhrase: "") }
        await #expect(processExitsWith: .failure) { _ = HTTPResponse.Status(code: 1000, reasonPhrase: "") }
    }
}
