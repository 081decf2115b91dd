import Cookies
import Foundation
import HTTPMessages
import IdentityProviderTesting
import OAuth
import Primitives
import SessionClient
import SessionClientFoundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The library as an app has it: its public face alone, `URLSession`, the clock of the system, a real server.
@Suite struct AdoptionTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "pawl-adoption-\(UUID())").path

    private func session(_ idp: TestIdentityProvider) throws -> SessionManager {
        SessionManager(
            configuration: SessionConfiguration(issuer: try #require(URL(string: idp.issuer)), clientID: "native"),
            store: EncryptedFileStore(directory: directory))
    }

    /// What the user's browser does where the server signs everybody in: it goes where it is sent, and no further.
    private static func browse(_ url: String) async throws -> String {
        try #require(try await visit(url).headerFields[.location])
    }

    private static func visit(_ url: String) async throws -> HTTPResponse {
        let parts = try #require(URLComponents(string: url))
        let request = HTTPRequest(
            method: .get, scheme: parts.scheme, authority: "\(parts.host ?? ""):\(parts.port ?? 80)",
            path: parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? ""))
        return try await URLSessionTransport().send(request, body: []).0
    }

    private let scope = try! Scope(parsing: "openid offline_access")

    private func withSignedIn(
        _ body: (TestIdentityProvider, SessionManager) async throws -> Void
    ) async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await withIdentityProvider(TestSetup(allowances: [.automaticLogin])) { idp in
            let session = try session(idp)
            let redirect = "http://127.0.0.1:4711/callback"
            let login = try await session.beginSignIn(
                returningTo: redirect, asking: AuthorizationParameters(scope: scope))
            let identity = try await session.finishSignIn(login, callback: try await Self.browse(login.url))
            #expect(identity?.subject == "alice")
            try await body(idp, session)
        }
    }

    private func userinfo(_ idp: TestIdentityProvider) throws -> URLRequest {
        URLRequest(url: try #require(URL(string: idp.url("/userinfo"))))
    }

    @Test func aRequestOfFoundationsGoesThroughExpiry() async throws {
        try await withSignedIn { idp, session in
            for _ in 0..<3 {
                let (data, response) = try await session.data(for: userinfo(idp))
                #expect(response.statusCode == 200)
                #expect(response.value(forHTTPHeaderField: "Content-Type")?.hasPrefix("application/json") == true)
                #expect(try JSON(parsing: String(decoding: data, as: UTF8.self))["sub"]?.string == "alice")
                // The server's clock alone: the client learns of it by a refusal.
                idp.clock.advance(by: .seconds(301))
            }
        }
    }

    @Test func anotherProcessFindsTheLogin() async throws {
        try await withSignedIn { idp, _ in
            let (_, response) = try await session(idp).data(for: userinfo(idp))
            #expect(response.statusCode == 200)
        }
    }

    @Test func aSignOutIsOneEverywhere() async throws {
        try await withSignedIn { idp, session in
            let request = try await session.signOutEverywhere()
            #expect(request?.url.hasPrefix(idp.issuer) == true)
            await #expect(throws: SessionError.self) { try await session.data(for: userinfo(idp)) }
            await #expect(throws: SessionError.self) { try await self.session(idp).accessToken() }
            #expect(try await idp.sessions().allSatisfy(\.hasEnded))
        }
    }

    @Test func whatIsNoRequestOfHTTPIsRefused() async throws {
        try await withSignedIn { idp, session in
            let file = URLRequest(url: URL(fileURLWithPath: "/etc/hostname"))
            await #expect(throws: RequestError.notHTTP) { try await session.data(for: file) }
            var stream = try userinfo(idp)
            stream.httpMethod = "POST"
            stream.httpBodyStream = InputStream(data: Data("a".utf8))
            await #expect(throws: RequestError.bodyIsStream) { try await session.data(for: stream) }
            let user = URLRequest(url: try #require(URL(string: "http://user:secret@127.0.0.1/")))
            await #expect(throws: RequestError.notHTTP) { try await session.data(for: user) }
        }
    }

    @Test func aBodyIsSentAgainWithTheRequest() async throws {
        try await withSignedIn { idp, session in
            idp.clock.advance(by: .seconds(301))
            var request = try userinfo(idp)
            request.httpMethod = "POST"
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data("a=b".utf8)
            let (_, response) = try await session.data(for: request)
            #expect(response.statusCode == 200)
        }
    }

    @Test func signsInByTheBrowserOfThisMachine() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await withIdentityProvider(TestSetup(allowances: [.automaticLogin])) { idp in
            let session = try session(idp)
            let identity = try await session.signInWithBrowser(asking: AuthorizationParameters(scope: scope)) { url in
                // A login that has its answer cancels the task that opened the browser, which Foundation may not survive.
                _ = try await Self.visit(try await Self.browse(url))
            }
            #expect(identity?.subject == "alice")
            #expect(try await session.accessToken().type == "Bearer")
        }
    }

    @Test func signsInByAnotherDevice() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await withIdentityProvider { idp in
            let session = try session(idp)
            let identity = try await session.signInWithDevice(asking: scope) { prompt in
                try await idp.decideDevice(prompt.userCode, as: "bob")
            }
            #expect(identity?.subject == "bob")
        }
    }

    @Test func keepsASessionOfCookies() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await withIdentityProvider { idp in
            let transport = URLSessionTransport()
            let parts = try #require(URLComponents(string: idp.issuer))
            var login = HTTPRequest(
                method: .post, scheme: "http", authority: "\(parts.host ?? ""):\(parts.port ?? 80)", path: "/session",
                headerFields: [.contentType: "application/x-www-form-urlencoded", .origin: idp.issuer])
            let form = Array("client_id=web&username=alice&password=alice".utf8)
            let (response, body) = try await transport.send(login, body: form)
            let names = response.headerFields[values: .setCookie].map { String($0.prefix { $0 != "=" }) }
            let access = try #require(names.first { $0.contains("access") })
            let refresh = try #require(names.first { $0.contains("refresh") })
            let session = try SessionManager(
                cookies: CookieSession(
                    refresh: idp.url("/session/refresh"), end: idp.url("/session"), accessCookie: access,
                    refreshCookie: refresh),
                store: EncryptedFileStore(directory: directory))
            try await session.signIn(by: response, body: body, to: login)
            login.method = .get
            for _ in 0..<3 {
                let (answer, _) = try await session.send(login)
                #expect(answer.status == .ok)
                idp.clock.advance(by: .seconds(301))
            }
            try await session.signOut()
            #expect(try await idp.sessions().allSatisfy(\.hasEnded))
        }
    }
}
