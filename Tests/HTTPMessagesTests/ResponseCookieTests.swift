import HTTPMessages
import Testing

@Suite("Cookies of a response")
struct ResponseCookieTests {
    @Test func saysWhatItIsTold() throws {
        let all = try ResponseCookie(
            name: "__Secure-a", value: "v1.x_y-z=", path: "/t/x", domain: "id.example", maxAge: .seconds(90),
            isSecure: true, isHTTPOnly: true, sameSite: ResponseCookie.SameSite.none)
        #expect(
            all.fieldValue
                == "__Secure-a=v1.x_y-z=; Path=/t/x; Domain=id.example; Max-Age=90; Secure; HttpOnly; SameSite=None"
        )
        let least = try ResponseCookie(name: "a", value: "", path: nil, isHTTPOnly: false)
        #expect(least.fieldValue == "a=")
    }

    @Test(arguments: [(ResponseCookie.SameSite.strict, "Strict"), (.lax, "Lax")])
    func saysForWhichSitesItIs(sameSite: ResponseCookie.SameSite, text: String) throws {
        let cookie = try ResponseCookie(name: "a", value: "b", sameSite: sameSite)
        #expect(cookie.fieldValue == "a=b; Path=/; HttpOnly; SameSite=\(text)")
    }

    @Test func deletesAtAgeZero() throws {
        #expect(try ResponseCookie(name: "a", value: "", maxAge: .zero).fieldValue == "a=; Path=/; Max-Age=0; HttpOnly")
    }

    /// RFC 6265 section 4.1.1.
    @Test(arguments: ["", " ", "a b", "a=b", "a;b", "a,b", "\"a\"", "a\r\nb", "a\0", "é", "K\u{301}"])
    func refusesANameThatIsNoToken(name: String) {
        #expect(throws: ResponseCookieError.invalidName) { try ResponseCookie(name: name, value: "x") }
    }

    /// RFC 6265 section 4.1.1, byte by byte.
    @Test(arguments: UInt8.min..<0x80)
    func takesCookieOctetsAlone(byte: UInt8) {
        let value = "a" + String(UnicodeScalar(byte)) + "b"
        let isOctet = byte > 0x20 && byte < 0x7F && !"\",;\\".utf8.contains(byte)
        #expect(((try? ResponseCookie(name: "n", value: value)) != nil) == isOctet)
    }

    @Test(arguments: ["é", "a\u{301}", "a\r\nSet-Cookie: b=c"])
    func refusesAValueThatIsNoneOfIts(value: String) {
        #expect(throws: ResponseCookieError.invalidValue) { try ResponseCookie(name: "n", value: value) }
    }

    @Test(arguments: ["", "a", "a/", "/a;b", "/a\r\n", "/\0", "/é", "/a; Domain=x", "/a "])
    func refusesAPathThatIsNone(path: String) {
        #expect(throws: ResponseCookieError.invalidPath) { try ResponseCookie(name: "n", value: "v", path: path) }
    }

    @Test(arguments: [
        "", ".", ".example", "example.", "a..b", "a b", "a;b", "a/b", "a:1", "é.example", "a\r\n", "[::1]",
    ])
    func refusesADomainThatIsNone(domain: String) {
        #expect(throws: ResponseCookieError.invalidDomain) {
            try ResponseCookie(name: "n", value: "v", domain: domain)
        }
    }

    /// What is rounded down to none would delete the cookie.
    @Test(arguments: [Duration.seconds(-1), .milliseconds(500), .milliseconds(-1), .milliseconds(1500)])
    func refusesAnAgeThatIsNone(age: Duration) {
        #expect(throws: ResponseCookieError.invalidMaxAge) { try ResponseCookie(name: "n", value: "v", maxAge: age) }
    }

    /// RFC 6265bis section 5.7: beyond these a user agent stores nothing, or ignores the attribute.
    @Test func refusesWhatUserAgentsFindTooLong() throws {
        let value = String(repeating: "v", count: ResponseCookie.pairLimit - 1)
        #expect(try ResponseCookie(name: "n", value: value).value == value)
        #expect(throws: ResponseCookieError.tooLong) { try ResponseCookie(name: "nn", value: value) }
        let path = "/" + String(repeating: "p", count: ResponseCookie.attributeLimit - 1)
        #expect(try ResponseCookie(name: "n", value: "v", path: path).path == path)
        #expect(throws: ResponseCookieError.tooLong) { try ResponseCookie(name: "n", value: "v", path: path + "p") }
        let domain = String(repeating: "d", count: ResponseCookie.attributeLimit + 1)
        #expect(throws: ResponseCookieError.tooLong) { try ResponseCookie(name: "n", value: "v", domain: domain) }
    }

    /// RFC 6265bis section 4.1.3.2, in whichever case, as user agents look at it.
    @Test(arguments: ["__Host-a", "__host-a", "__HOST-a"])
    func theHostPrefixBindsToTheHost(name: String) throws {
        #expect(try ResponseCookie(name: name, value: "v", isSecure: true).fieldValue.hasPrefix("\(name)=v; Path=/;"))
        #expect(throws: ResponseCookieError.prefixIsBroken) { try ResponseCookie(name: name, value: "v") }
        #expect(throws: ResponseCookieError.prefixIsBroken) {
            try ResponseCookie(name: name, value: "v", path: nil, isSecure: true)
        }
        #expect(throws: ResponseCookieError.prefixIsBroken) {
            try ResponseCookie(name: name, value: "v", path: "/t", isSecure: true)
        }
        #expect(throws: ResponseCookieError.prefixIsBroken) {
            try ResponseCookie(name: name, value: "v", domain: "id.example", isSecure: true)
        }
    }

    /// RFC 6265bis section 4.1.3.1.
    @Test(arguments: ["__Secure-a", "__secure-a"])
    func theSecurePrefixNeedsSecure(name: String) throws {
        #expect(throws: ResponseCookieError.prefixIsBroken) { try ResponseCookie(name: name, value: "v") }
        #expect(try ResponseCookie(name: name, value: "v", path: "/t", isSecure: true).isSecure)
    }

    @Test func isForOtherSitesOnlyWhenItIsSecure() {
        #expect(throws: ResponseCookieError.crossSiteNeedsSecure) {
            try ResponseCookie(name: "n", value: "v", sameSite: ResponseCookie.SameSite.none)
        }
    }

    @Test func doesNotShowItsValue() throws {
        let cookie = try ResponseCookie(name: "n", value: "secret")
        #expect(!"\(cookie)".contains("secret"))
        for error in ResponseCookieError.allCases { #expect(!error.description.isEmpty) }
    }
}
