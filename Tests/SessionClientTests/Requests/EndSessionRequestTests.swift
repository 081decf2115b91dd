import OAuth
import Primitives
import SessionClient
import Testing

@Suite struct EndSessionRequestTests {
    private let redirectURI = try! RedirectURI("com.example.app:/signed-out")

    private func request(_ random: any RandomSource = SeededRandom(seed: 1)) throws -> EndSessionRequest {
        try #require(
            EndSessionRequest(
                at: LoginFixtures.server {
                    $0.endSessionEndpoint = try! ServerEndpoint("https://id.example/logout?t=1")
                },
                clientID: "native-app", idToken: Secret(utf8: "a.b.c"), returningTo: redirectURI,
                languages: ["de", "en"],
                random: random))
    }

    private func query(_ url: String) throws -> FormParameters {
        try FormParameters(parsing: Array(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()).span)
    }

    @Test func asksAsTheStandardHasIt() throws {
        let url = try request().url
        #expect(url.hasPrefix("https://id.example/logout?t=1&id_token_hint=a.b.c&client_id=native-app&"))
        let query = try query(url)
        #expect(query["post_logout_redirect_uri"] == "com.example.app:/signed-out")
        #expect(query["ui_locales"] == "de en")
        #expect(try #require(query["state"]).utf8.count >= 27)
    }

    @Test func knowsItsOwnAnswer() throws {
        let request = try request()
        let state = try #require(query(request.url)["state"])
        #expect(request.isAnswered(by: "com.example.app:/signed-out?state=\(state)"))
        for other in [
            "com.example.app:/signed-out", "com.example.app:/signed-out?state=", "com.example.app:/signed-out?state=x",
            "com.example.app:/other?state=\(state)", "com.example.app:/signed-out?state=\(state)&state=\(state)",
            "com.example.app:/signed-out?state=\(state)x", "com.example.app:/signed-out?x=\(state)",
        ] {
            #expect(!request.isAnswered(by: other), "\(other)")
        }
    }

    @Test func asksNobodyWhoHasNoPlaceForIt() {
        let server = LoginFixtures.server { $0.endSessionEndpoint = nil }
        #expect(EndSessionRequest(at: server, clientID: "a", random: SeededRandom(seed: 1)) == nil)
    }

    @Test func printsNoToken() throws {
        let request = try request()
        #expect(!"\(request)\(String(reflecting: request))".contains("a.b.c"))
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!dumped.contains("a.b.c"))
    }
}
