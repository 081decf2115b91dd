import Cookies
import Foundation
import Primitives
import SessionClientFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What of a cookie goes through Foundation, and what does not (S13).
@Suite struct HTTPCookieTests {
    private static let now = Timestamp(secondsSinceEpoch: 1_900_000_000)

    private static let cookies: [Cookie] = [true, false].flatMap { flag in
        [nil, now + .seconds(3600)].map { expires in
            Cookie(
                name: "session", value: "opaque-1", domain: "app.example", isHostOnly: flag, path: "/account",
                expires: expires, isSecure: flag, isHTTPOnly: flag, at: now)
        }
    }

    @Test(arguments: cookies)
    func everythingElseComesBack(cookie: Cookie) throws {
        let converted = try #require(cookie.httpCookie())
        #expect(converted.isHTTPOnly == cookie.isHTTPOnly)
        #expect((converted.expiresDate == nil) == (cookie.expires == nil))
        #expect(Cookie(converted, at: Self.now) == cookie)
    }

    /// C9: a comma is part of a value, and not the end of a cookie.
    @Test(arguments: ["a,b=2", "a, b=2", "Wed, 09 Jun 2027", "{\"a\":1,\"b\":2}"])
    func C9_aCommaInAValueStaysThere(value: String) throws {
        let cookie = Cookie(name: "a", value: value, domain: "app.example", at: Self.now)
        let converted = try #require(cookie.httpCookie())
        #expect(converted.name == "a" && converted.value == value)
        #expect(Cookie(converted, at: Self.now) == cookie)
    }

    @Test(arguments: [true, false]) func aDeletionNamesTheSameCookie(isHostOnly: Bool) throws {
        let cookie = Cookie(
            name: "a", value: "1", domain: "app.example", isHostOnly: isHostOnly, path: "/x", at: Self.now)
        let named = try #require(cookie.identity.httpCookie())
        #expect(Cookie(named, at: Self.now)?.identity == cookie.identity)
    }

    /// Written down so that nobody relies on it.
    @Test func foundationLosesSameSiteAndTheCreation() throws {
        let cookie = Cookie(
            name: "__Host-a", value: "1", domain: "app.example", expires: Self.now + .milliseconds(1500),
            isSecure: true, isHTTPOnly: true, sameSite: .strict, at: Self.now - .seconds(60))
        let foreign = try #require(cookie.httpCookie())
        let back = try #require(Cookie(foreign, at: Self.now))
        #expect(back.created == Self.now)
        #if !canImport(Darwin)
        #expect(back.sameSite == .unspecified)
        #endif
        #expect(back.isHTTPOnly && back.isSecure && back.isHostOnly && back.name == "__Host-a")
    }

    @Test func whatNoServerCanHaveSetDoesNotComeBack() throws {
        let properties: [HTTPCookiePropertyKey: Any] = [
            .name: "__Host-a", .value: "1", .domain: ".app.example", .path: "/", .secure: "TRUE",
        ]
        let foreign = try #require(HTTPCookie(properties: properties))
        #expect(Cookie(foreign, at: Self.now) == nil)
    }
}
