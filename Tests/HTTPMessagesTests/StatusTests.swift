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

    @Test(arguments: [
        (HTTPResponse.Status.created, "201 Created"), (.seeOther, "303 See Other"), (.conflict, "409 Conflict"),
        (.tooManyRequests, "429 Too Many Requests"), (.badGateway, "502 Bad Gateway"),
    ])
    func haveTheirCodes(status: HTTPResponse.Status, text: String) {
        #expect(status.description == text)
    }

    @Test func theMethodThatChangesAPartIsPatch() {
        #expect(HTTPRequest.Method("PATCH") == .patch)
        #expect(HTTPRequest.Method("Patch") != .patch)
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
