import Cookies
import Primitives
import Testing

/// The examples of the documentation: cookies by themselves, fields, hosts and URLs.
@Suite struct CookieExamples {
    @Test func printsWithoutTheValue() {
        let cookie = Cookie(name: "__Host-session", value: "opaque", domain: "app.example", isSecure: true, at: now)
        print(cookie)
        #expect("\(cookie)" == "__Host-session=<redacted> for app.example/")
        #expect(cookie.refusal == nil)
    }

    @Test func ends() {
        let cookie = Cookie(name: "a", value: "1", domain: "app.example", expires: now + .seconds(60), at: now)
        let isOver = cookie.isExpired(at: now + .seconds(60))
        #expect(isOver)
    }

    @Test func isNoNews() {
        let cookie = Cookie(name: "a", value: "1", domain: "app.example", at: now)
        let again = Cookie(name: "a", value: "1", domain: "app.example", at: now + .seconds(1))
        let isNews = !again.isSame(as: cookie)
        #expect(!isNews && again != cookie)
    }

    @Test func hasAPlace() throws {
        let jar = try CookieJar(["sid=31d4"])
        let identity = Cookie.Identity(name: "sid", domain: "app.example")
        let value = jar[identity]?.value
        #expect(value == "31d4")
    }

    @Test func cannotBe() {
        let open = Cookie(name: "__Host-session", value: "opaque", domain: "app.example", at: now)
        let reason = open.refusal
        #expect(reason == .prefixIsBroken)
    }

    @Test func fields() throws {
        let set = try SetCookie(parsing: "sid=31d4; Path=/; HttpOnly")
        #expect(set.name == "sid" && set.value == "31d4" && set.path == "/" && set.isHTTPOnly)
        let end = try SetCookie(parsing: "a=1; Max-Age=60").expiry(at: now)
        #expect(end == now + .seconds(60))
        let fields = SetCookie.fields(folded: "a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT, b=2")
        #expect(fields == ["a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT", "b=2"])
    }

    @Test func hosts() {
        let host = CookieHost("App.Example")?.text
        let none = CookieHost("app.example/account")
        #expect(host == "app.example" && none == nil)
    }

    @Test func urls() {
        guard let url = CookieURL("https://app.example/account?tab=1") else { return }
        print(url.host.text, url.path)
        #expect(url.path == "/account")
    }

    @Test func urlsOfParts() {
        guard let host = CookieHost("app.example") else { return }
        let url = CookieURL(isEncrypted: true, host: host, path: "/account")
        #expect(url == CookieURL("https://app.example/account"))
    }

    @Test func publicSuffixes() {
        let text = "com\n*.example\n"
        let isSuffix = PublicSuffixList.shipped.contains("co.uk")
        let owner = PublicSuffixList.shipped.registrableDomain(of: "www.example.co.uk")
        var policy = CookiePolicy()
        policy.publicSuffixes = PublicSuffixList(rules: text)
        #expect(isSuffix && owner == "example.co.uk" && policy.publicSuffixes.contains("app.example"))
    }
}
