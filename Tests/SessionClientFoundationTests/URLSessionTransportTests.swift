import Foundation
import HTTPMessages
import IdentityProviderTesting
import Primitives
import SessionClientFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `URLSession` as a transport, against the real server.
@Suite struct URLSessionTransportTests {
    private func request(
        _ idp: TestIdentityProvider, _ path: String, _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]
    ) throws -> HTTPRequest {
        let url = try #require(URL(string: idp.url(path)))
        let query = url.query.map { "?" + $0 } ?? ""
        return HTTPRequest(
            method: method, scheme: url.scheme, authority: "\(url.host ?? ""):\(url.port ?? 80)",
            path: url.path + query, headerFields: fields)
    }

    @Test func bringsAnAnswerWhole() async throws {
        try await withIdentityProvider { idp in
            let (response, body) = try await URLSessionTransport().send(
                request(idp, "/.well-known/openid-configuration"), body: [])
            #expect(response.status == .ok)
            #expect(response.headerFields[.contentType]?.hasPrefix("application/json") == true)
            #expect(try JSON(parsing: body.span)["issuer"]?.string == idp.issuer)
        }
    }

    /// C9, S3: two cookies with dates in them, which Foundation joins by a comma.
    @Test func takesSeveralCookiesApartAndKeepsNoneOfThem() async throws {
        try await withIdentityProvider { idp in
            let transport = URLSessionTransport()
            let form = Array("client_id=web&username=alice&password=alice".utf8)
            let fields: HTTPFields = [
                .contentType: "application/x-www-form-urlencoded", .origin: idp.issuer,
            ]
            let (response, _) = try await transport.send(request(idp, "/session", .post, fields), body: form)
            #expect(response.status == .ok)
            #expect(response.headerFields[values: .setCookie].count == 2)
            // S17: nothing was kept by it or by anybody else in the process.
            let (next, _) = try await transport.send(request(idp, "/session"), body: [])
            #expect(next.status == .unauthorized)
            #expect(HTTPCookieStorage.shared.cookies?.contains { $0.domain.contains("127.0.0.1") } != true)
        }
    }

    @Test func followsNoRedirect() async throws {
        try await withIdentityProvider(TestSetup(allowances: [.automaticLogin])) { idp in
            let query =
                "/authorize?client_id=service&response_type=code&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback&scope=openid"
            let (response, _) = try await URLSessionTransport().send(request(idp, query), body: [])
            #expect((300..<400).contains(response.status.code))
            #expect(response.headerFields[.location]?.contains("code=") == true)
        }
    }

    @Test func refusesAnAnswerThatIsTooLong() async throws {
        try await withIdentityProvider { idp in
            let request = try request(idp, "/.well-known/openid-configuration")
            await #expect(throws: OutboundFailure.tooLarge) {
                try await URLSessionTransport(largestAnswer: 100).send(request, body: [])
            }
        }
    }

    /// Foundation on Linux has two threads wait for each other for ever where a request of its own is cancelled as its answer
    /// comes (swift-corelibs-foundation, issue 5412). No test can choose that moment: one of these is near it.
    @Test(.timeLimit(.minutes(2))) func canBeCancelledAtAnyMoment() async throws {
        try await withIdentityProvider { idp in
            let transport = URLSessionTransport()
            let request = try request(idp, "/jwks.json")
            for round in 0..<300 {
                let exchange = Task { try await transport.send(request, body: []) }
                try await Task.sleep(for: .microseconds(10 * round))
                exchange.cancel()
                do throws(any Error) { _ = try await exchange.value } catch {
                    #expect(error as? OutboundFailure == .cancelled)
                }
            }
            #expect(try await transport.send(request, body: []).0.status == .ok)
        }
    }

    /// Who was cancelled before sends nothing.
    @Test func sendsNothingForWhoeverWasCancelled() async throws {
        try await withIdentityProvider { idp in
            let request = try request(idp, "/jwks.json")
            let exchange = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await URLSessionTransport().send(request, body: [])
            }
            exchange.cancel()
            await #expect(throws: OutboundFailure.cancelled) { _ = try await exchange.value }
            #expect(idp.requests.isEmpty)
        }
    }

    @Test func saysThatNobodyIsThere() async throws {
        let request = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:1", path: "/")
        await #expect(throws: OutboundFailure.unreachable) { try await URLSessionTransport().send(request, body: []) }
    }

    @Test(arguments: [nil, "ftp", "file"])
    func sendsNothingButHTTP(scheme: String?) async throws {
        let request = HTTPRequest(method: .get, scheme: scheme, authority: "127.0.0.1:1", path: "/")
        await #expect(throws: OutboundFailure.invalidRequest) {
            try await URLSessionTransport().send(request, body: [])
        }
    }
}
