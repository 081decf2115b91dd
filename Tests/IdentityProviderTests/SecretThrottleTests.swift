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
        let answer = await idp.token(form, basic: "service:secret")
        // RFC 6585 section 4.
        #expect(answer.status == 429)
        #expect(answer.field("Retry-After") == "60")
        #expect(answer.error == "invalid_client")
        #expect(answer.errorDescription.contains("too many"))
        let posted = await idp.token("\(form)&client_id=service&client_secret=secret")
        #expect(posted.status == 429)
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
