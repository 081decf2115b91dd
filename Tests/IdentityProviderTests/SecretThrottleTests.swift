import HTTPMessages
import IdentityProvider
import Primitives
import Testing

/// RFC 6749 section 2.3.1: an endpoint that takes secrets of clients is protected against brute force.
@Suite struct SecretThrottleTests {
    private let form = "grant_type=client_credentials"

    private func exhausted() async throws -> ProviderUnderTest {
        let idp = try await ProviderUnderTest()
        for _ in 0..<100 { _ = await idp.token(form, basic: "service:wrong") }
        return idp
    }

    @Test func refusesTheRightSecretAfterTooManyWrongOnes() async throws {
        let idp = try await exhausted()
        let answer = await idp.token("\(form)&client_id=service&client_secret=secret")
        // RFC 6585 section 4.
        #expect(answer.status == 429)
        #expect(answer.field("Retry-After") == "60")
        #expect(answer.field("WWW-Authenticate") == nil)
        #expect(answer.error == "invalid_client")
        #expect(answer.errorDescription.contains("too many"))
    }

    /// RFC 6749 section 5.2: who authenticates by the Authorization field MUST be answered with 401 and a challenge.
    @Test(arguments: ["/token", "/introspect", "/revoke", "/par", "/device_authorization"])
    func challengesWhoeverUsedTheAuthorizationField(path: String) async throws {
        let idp = try await exhausted()
        let answer = await idp.token("\(form)&token=t", basic: "service:secret", path: path)
        #expect(answer.status == 401)
        #expect(answer.field("WWW-Authenticate")?.hasPrefix("Basic ") == true)
        #expect(answer.field("Retry-After") == "60")
        #expect(answer.error == "invalid_client")
        #expect(answer.errorDescription.contains("too many"))
    }

    private static let evil: HTTPFields = [.origin: "https://evil.example"]

    /// Fetch section 4.8: a form is posted without asking ahead, and the page and the client have one address.
    @Test(arguments: [
        evil, [.origin: "null"], [.init("Sec-Fetch-Site")!: "cross-site"],
        [.origin: "https://evil.example", .init("Sec-Fetch-Site")!: "cross-site"],
    ])
    func aPageShutsNoProgramOut(fields: HTTPFields) async throws {
        let idp = try await ProviderUnderTest()
        let wrong = "\(form)&client_id=service&client_secret=x"
        for _ in 0..<100 { #expect(await idp.token(wrong, also: fields).status == 401) }
        #expect(await idp.token(wrong, also: fields).status == 429)
        #expect(await idp.token(form, basic: "service:secret").status == 200)
        // Nor a page that may read what is answered.
        #expect(await idp.token(form, basic: "service:secret", also: [.origin: "http://localhost:3000"]).status == 200)
    }

    @Test func aPageThatMayReadAnswersTriesNoMoreThanOthers() async throws {
        let idp = try await ProviderUnderTest()
        let fields: HTTPFields = [.origin: "http://localhost:3000"]
        for _ in 0..<100 { _ = await idp.token(form, basic: "service:wrong", also: fields) }
        #expect(await idp.token(form, basic: "service:secret", also: fields).field("Retry-After") == "60")
        #expect(await idp.token(form, basic: "service:secret").status == 200)
    }

    /// It makes up as many origins as it likes.
    @Test func pagesOfManyOriginsTryNoMoreThanOne() async throws {
        let idp = try await ProviderUnderTest()
        for index in 0..<100 {
            _ = await idp.token(form, basic: "service:wrong", also: [.origin: "https://\(index).evil.example"])
        }
        #expect(await idp.token(form, basic: "service:secret", also: Self.evil).field("Retry-After") == "60")
    }

    @Test func oneWrongSecretFewerKeepsNobodyOut() async throws {
        let idp = try await ProviderUnderTest()
        for _ in 0..<99 { _ = await idp.token(form, basic: "service:wrong") }
        #expect(await idp.token(form, basic: "service:secret").status == 200)
    }

    @Test func keepsNoOtherClientOut() async throws {
        let idp = try await exhausted()
        #expect(await idp.token(form, basic: "reader:secret").status == 200)
    }

    @Test func keepsNobodyOutAtAnotherAddress() async throws {
        let idp = try await exhausted()
        let head = HTTPRequest(
            method: .post, scheme: nil, authority: ProviderUnderTest.host, path: "/token",
            headerFields: [
                .contentType: "application/x-www-form-urlencoded",
                .authorization: "Basic " + Base64.encode(Array("service:secret".utf8)),
            ])
        let peer = ServerRequest.Peer(address: "192.0.2.1", isLoopback: false, isEncrypted: false)
        let request = ServerRequest(head: head, body: Array(form.utf8), peer: peer, id: "r")
        #expect(await idp.provider.respond(to: request).head.status == .ok)
    }

    /// The answer must not tell which clients there are.
    @Test func clientsThatAreNobodysAreThrottledAlike() async throws {
        let idp = try await exhausted()
        for _ in 0..<100 { _ = await idp.token(form, basic: "nobody:wrong") }
        let known = await idp.token(form, basic: "service:wrong")
        let unknown = await idp.token(form, basic: "nobody:wrong")
        #expect(unknown.status == known.status)
        #expect(unknown.body == known.body)
    }

    @Test func aResetForgetsWhatWasWrong() async throws {
        let idp = try await exhausted()
        try await idp.provider.root.reset()
        #expect(await idp.token(form, basic: "service:secret").status == 200)
        // One more is one, and not one too many.
        #expect(await idp.token(form, basic: "service:wrong").errorDescription.contains("too many") == false)
        #expect(await idp.token(form, basic: "service:secret").status == 200)
    }

    /// `client_secrets` in the configuration.
    @Test func takesAsManyAsIsConfiguredForAsLongAsIsConfigured() async throws {
        let idp = try await ProviderUnderTest {
            $0.clientSecrets.failuresAllowed = 2
            $0.clientSecrets.failureWindow = .seconds(10)
        }
        for _ in 0..<2 { #expect(await idp.token(form, basic: "service:wrong").field("Retry-After") == nil) }
        #expect(await idp.token(form, basic: "service:secret").field("Retry-After") == "10")
        idp.clock.advance(by: .seconds(10))
        #expect(await idp.token(form, basic: "service:secret").status == 200)
    }

    @Test func isOverWhenTheWindowIs() async throws {
        let idp = try await exhausted()
        idp.clock.advance(by: .milliseconds(59_999))
        #expect(await idp.token(form, basic: "service:secret").field("Retry-After") == "1")
        idp.clock.advance(by: .milliseconds(1))
        #expect(await idp.token(form, basic: "service:secret").status == 200)
    }
}
