import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

/// Keys that a client publishes at its `jwks_uri`.
@Suite struct ClientKeySetTests {
    static let uri = "https://client.example/keys?v=1"
    let server = RemoteServer()
    let idp: ProviderUnderTest
    let first: ProofClient
    let second: ProofClient

    init() async throws {
        let client = try Client.proving("remote", method: "private_key_jwt") { $0.keysURI = Self.uri }
        idp = try await ProviderUnderTest(clients: [client], outbound: server)
        first = try ProofClient(keyID: "k-1", at: idp.clock.now())
        second = try ProofClient(keyID: "k-2", at: idp.clock.now())
        publish(first)
    }

    private func publish(_ clients: ProofClient...) {
        server.answer(Self.uri, JWKSet(clients.compactMap(\.key.publicJWK)).json(.publicOnly).text())
    }

    private func token(_ client: ProofClient, _ jti: String) async throws -> Answer {
        let now = idp.clock.now().secondsSinceEpoch
        let assertion = try client.assertion(
            of: "remote", jti, ["exp": .integer(now + 60), "iat": .integer(now)],
            header: ["kid": .string(client.key.keyID)])
        return await idp.token(ProofClient.assertionForm(assertion))
    }

    @Test func asksOnceAndRemembers() async throws {
        for number in 0..<5 { #expect(try await token(first, "a-\(number)").status == 200) }
        #expect(server.asked == [Self.uri])
    }

    @Test(arguments: [(299, 1), (300, 2)]) func asksAgainWhenTheSetIsOld(seconds: Int, asked: Int) async throws {
        #expect(try await token(first, "a-1").status == 200)
        idp.clock.advance(by: .seconds(seconds))
        #expect(try await token(first, "a-2").status == 200)
        #expect(server.asked.count == asked)
    }

    @Test func asksAgainForAKeyThatItDoesNotKnow() async throws {
        #expect(try await token(first, "a-1").status == 200)
        publish(first, second)
        idp.clock.advance(by: .seconds(10))
        #expect(try await token(second, "a-2").status == 200)
        #expect(server.asked.count == 2)
    }

    /// Whoever makes up names of keys cannot make us ask all the time.
    @Test(arguments: [(0, 1), (9, 1), (10, 2)]) func doesNotAskMoreOftenThanEveryTenSeconds(seconds: Int, asked: Int)
        async throws
    {
        #expect(try await token(first, "a-1").status == 200)
        idp.clock.advance(by: .seconds(seconds))
        for number in 0..<4 { #expect(try await token(second, "b-\(number)").status == 401) }
        #expect(server.asked.count == asked)
        #expect(try await token(first, "a-2").status == 200)
    }

    @Test func aKeyThatIsGoneIsNoMoreGood() async throws {
        #expect(try await token(first, "a-1").status == 200)
        publish(second)
        idp.clock.advance(by: .seconds(300))
        #expect(try await token(first, "a-2").error == "invalid_client")
    }

    @Test(arguments: OutboundFailure.allCases) func refusesTheClientWhenItsServerDoesNotAnswer(failure: OutboundFailure)
        async throws
    {
        server.fail(Self.uri, failure)
        for number in 0..<3 {
            let answer = try await token(first, "a-\(number)")
            #expect(answer.status == 401)
            #expect(answer.error == "invalid_client")
            // What happened at the client's server is for the log.
            #expect(!answer.errorDescription.contains(failure.description))
        }
        #expect(server.asked.count == 1)
        #expect(idp.log.lines.joined().contains(failure.description))
        publish(first)
        idp.clock.advance(by: .seconds(10))
        #expect(try await token(first, "a-9").status == 200)
    }

    @Test(arguments: [
        (404, "{}"), (302, #"{"keys":[]}"#), (200, ""), (200, "{}"), (200, "[]"), (200, #"{"keys":{}}"#),
        (200, #"{"keys":[]}"#), (200, #"{"keys":[],"keys":[]}"#),
    ])
    func refusesTheClientWhenThereAreNoKeys(status: Int, body: String) async throws {
        server.answer(Self.uri, body, status: status)
        #expect(try await token(first, "a-1").error == "invalid_client")
    }

    @Test func manyAtOnceAskOnce() async throws {
        let statuses = await withTaskGroup(of: Int.self) { group in
            for number in 0..<16 { group.addTask { (try? await token(first, "a-\(number)"))?.status ?? 0 } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 200 })
        #expect(server.asked.count == 1)
    }

    @Test(arguments: [
        "", "keys.json", "ftp://client.example/keys", "file:///etc/passwd", "https://", "https://a@b/keys",
    ])
    func asksNothingButHTTP(uri: String) async throws {
        try idp.context.clients.put(.proving("remote", method: "private_key_jwt") { $0.keysURI = uri })
        #expect(try await token(first, "a-1").error == "invalid_client")
        #expect(server.asked.isEmpty)
    }

    @Test func asksNobodyForAClientThatHasKeys() async throws {
        let keys = JWKSet([try #require(second.key.publicJWK)])
        try idp.context.clients.put(
            .proving("remote", method: "private_key_jwt") {
                $0.keys = keys
                $0.keysURI = Self.uri
            })
        #expect(try await token(second, "a-1").status == 200)
        #expect(try await token(first, "a-2").status == 401)
        #expect(server.asked.isEmpty)
    }
}
