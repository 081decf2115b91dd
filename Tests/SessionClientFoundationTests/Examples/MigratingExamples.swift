import Cookies
import Foundation
import HTTPMessages
import IdentityProviderTesting
import Primitives
import SessionClient
import SessionClientFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What stands in the article about migrating to the library.
@Suite struct MigratingExamples {
    /// What an app has had in its preferences.
    private struct Preferences {
        let defaults: UserDefaults

        init(_ name: String) throws {
            defaults = try #require(UserDefaults(suiteName: name))
            defaults.removePersistentDomain(forName: name)
        }
    }

    /// Called at each start, in the app and in its extensions, before anybody asks for a token.
    private func adoptWhatWasInPreferences(_ session: SessionManager, _ defaults: UserDefaults) async throws {
        if let old = defaults.string(forKey: "refresh_token") {
            try await session.adopt(refreshToken: Secret(utf8: old))
            for key in ["refresh_token", "access_token", "expires_at"] { defaults.removeObject(forKey: key) }
        }
    }

    @Test func tokensInPreferences() async throws {
        try await withIdentityProvider { idp in
            let defaults = try Preferences("pawl.migrating").defaults
            let tokens = try await idp.tokens(for: "alice", client: "native", scope: "openid offline_access")
            defaults.set(tokens.refreshToken, forKey: "refresh_token")
            let session = SessionManager(
                configuration: SessionConfiguration(issuer: idp.issuer, clientID: "native"),
                store: MemorySessionStore())
            try await adoptWhatWasInPreferences(session, defaults)
            let userinfo = URLRequest(url: try #require(URL(string: idp.url("/userinfo"))))
            #expect(try await session.data(for: userinfo).1.statusCode == 200)
            #expect(defaults.string(forKey: "refresh_token") == nil)
            // The next start finds nothing, and the session goes on.
            try await adoptWhatWasInPreferences(session, defaults)
            #expect(try await session.data(for: userinfo).1.statusCode == 200)
        }
    }

    private func adoptWhatWasInTheStorage(_ session: SessionManager) async throws {
        let storage = HTTPCookieStorage.shared
        let url = URL(string: "https://app.example/session/refresh")!
        let old = storage.cookies(for: url) ?? []
        let cookies = old.compactMap { Cookie($0, at: SystemWallClock().now()) }
        if cookies.contains(where: { $0.name == "__Secure-refresh" }) {
            try await session.adopt(cookies: cookies)
            for cookie in old { storage.deleteCookie(cookie) }
        }
    }

    @Test func cookiesInTheStorage() async throws {
        let cookies = CookieSession(
            refresh: "https://app.example/session/refresh", end: "https://app.example/session",
            accessCookie: "__Host-session", refreshCookie: "__Secure-refresh")
        let session = try SessionManager(cookies: cookies, store: MemorySessionStore())
        let now = SystemWallClock().now()
        let old = Cookie(
            name: "__Secure-refresh", value: "1", domain: "app.example", expires: now + .seconds(3600),
            isSecure: true, isHTTPOnly: true, at: now)
        HTTPCookieStorage.shared.setCookie(try #require(old.httpCookie()))
        try await adoptWhatWasInTheStorage(session)
        guard case .active(let info) = session.state else {
            Issue.record("nobody is signed in")
            return
        }
        #expect(info.canRefresh)
        #expect(HTTPCookieStorage.shared.cookies?.contains { $0.domain == "app.example" } != true)
    }

    /// A library that sends requests and knows nothing of sessions.
    private struct OtherLibrary {
        func send(_ request: URLRequest, bearing secret: Secret) async throws -> (status: Int, data: Data) {
            let text = secret.withBytes { String(decoding: $0, as: UTF8.self) }
            var request = request
            request.setValue("Bearer \(text)", forHTTPHeaderField: "Authorization")
            let (data, response) = try await URLSession.shared.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
        }
    }

    @Test func anotherLibrarySends() async throws {
        try await withIdentityProvider { idp in
            let library = OtherLibrary()
            let tokens = try await idp.tokens(for: "alice", client: "native", scope: "openid offline_access")
            let session = SessionManager(
                configuration: SessionConfiguration(issuer: idp.issuer, clientID: "native"),
                store: MemorySessionStore())
            try await session.adopt(refreshToken: Secret(utf8: try #require(tokens.refreshToken)))
            _ = try await session.accessToken()
            idp.clock.advance(by: .seconds(3600))
            let request = URLRequest(url: try #require(URL(string: idp.url("/userinfo"))))

            let token = try await session.accessToken()
            var answer = try await library.send(request, bearing: token.secret)
            if answer.status == 401 {
                let newer = try await session.accessToken(replacing: token)
                answer = try await library.send(request, bearing: newer.secret)
            }

            #expect(answer.status == 200)
        }
    }

    @Test func fromOneStoreToAnother() async throws {
        let (old, new) = (MemorySessionStore(), MemorySessionStore())
        let configuration = SessionConfiguration(issuer: "https://id.example", clientID: "native")
        let before = SessionManager(configuration: configuration, store: old)
        try await before.adopt(refreshToken: Secret(utf8: "r1"))
        if let entry = try await old.read(), try await new.read() == nil {
            _ = try await new.write(entry.payload, over: nil)
        }
        let after = SessionManager(configuration: configuration, store: new)
        #expect(try await !after.adopt(refreshToken: Secret(utf8: "r1")))
    }
}
