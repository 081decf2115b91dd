import Cookies
import Primitives
import Testing

/// RFC 6265bis section 5.6: what a field says, and what of it is passed over.
@Suite struct SetCookieTests {
    @Test func readsEveryAttributeInAnyCaseAndOrder() throws {
        let set = try SetCookie(
            parsing: "sid=31d4=d96; SECURE; httponly ; sameSite=STRICT; path=/a; Domain=.App.Example; max-age=60")
        #expect(set.name == "sid" && set.value == "31d4=d96")
        #expect(set.isSecure && set.isHTTPOnly && set.sameSite == .strict)
        #expect(set.path == "/a" && set.domain == "app.example" && set.maxAge == .seconds(60))
    }

    @Test(arguments: [
        ("a=\u{00}b", CookieRefusal.controlCharacter), ("a=b\nc", .controlCharacter), ("a\u{7F}=b", .controlCharacter),
        ("a=b; Path=/\u{01}", .controlCharacter), ("", .empty), ("=", .empty), (" = ; Path=/", .empty),
        ("; Secure", .empty), ("a=" + String(repeating: "b", count: 4096), .tooLong),
    ])
    func refusesWhatNoUserAgentTakes(_ field: String, _ refusal: CookieRefusal) {
        #expect(throws: refusal) { try SetCookie(parsing: field) }
    }

    @Test func takesTheLongestPairThereMayBe() throws {
        #expect(try SetCookie(parsing: "a=" + String(repeating: "b", count: 4095)).value.utf8.count == 4095)
        // A tab is a blank, and no control character.
        #expect(try SetCookie(parsing: "a\t=\tb\t").value == "b")
    }

    @Test func goesByTheLastOfSeveral() throws {
        let set = try SetCookie(
            parsing: "a=b; Path=/one; Path=/two; Domain=x.example; Domain=; SameSite=None; SameSite=x")
        #expect(set.path == "/two" && set.domain == "" && set.sameSite == .unspecified)
        #expect(try SetCookie(parsing: "a=b; Path=/one; Path=two").path == nil)
    }

    @Test(arguments: ["", "+5", "5.5", "x", "5x", "--5", "٣"])
    func passesOverAMaxAgeThatIsNoNumber(_ text: String) throws {
        #expect(try SetCookie(parsing: "a=b; Max-Age=\(text)").maxAge == nil)
    }

    @Test(arguments: [("0", SetCookie.MaxAge.past), ("-1", .past), ("-", .past), ("007", .seconds(7))])
    func readsAMaxAge(_ text: String, _ age: SetCookie.MaxAge) throws {
        #expect(try SetCookie(parsing: "a=b; Max-Age=\(text)").maxAge == age)
    }

    @Test func passesOverAnAttributeThatIsTooLong() throws {
        let path = "/" + String(repeating: "p", count: 1024)
        #expect(try SetCookie(parsing: "a=b; Path=\(path)").path == nil)
        #expect(try SetCookie(parsing: "a=b; Path=\(path.dropLast())").path != nil)
    }

    /// Section 5.5: the limit of 400 days, for both ways to say when.
    @Test func neverLivesLongerThanFourHundredDays() throws {
        let latest = now + .seconds(400 * 86_400)
        for attribute in ["Max-Age=34560001", "Max-Age=99999999999999999999", "Expires=Fri, 31 Dec 9999 23:59:59 GMT"] {
            #expect(try SetCookie(parsing: "a=b; \(attribute)").expiry(at: now) == latest)
        }
        #expect(try SetCookie(parsing: "a=b; Max-Age=34559999").expiry(at: now) == latest - .seconds(1))
    }

    @Test func looksAtMaxAgeBeforeExpires() throws {
        let past = "Expires=Thu, 01 Jan 1970 00:00:00 GMT"
        #expect(try SetCookie(parsing: "a=b; Max-Age=60; \(past)").expiry(at: now) == now + .seconds(60))
        #expect(try SetCookie(parsing: "a=b; \(past); Max-Age=x").expiry(at: now)?.millisecondsSinceEpoch == 0)
        #expect(try SetCookie(parsing: "a=b").expiry(at: now) == nil)
    }

    /// Section 5.1.1: the calendar of these dates begins with the year 1601.
    @Test(arguments: ["1600", "100", "1", "11111"])
    func passesOverAYearBeforeThereWereAny(_ year: String) throws {
        #expect(try SetCookie(parsing: "a=b; Expires=Sat, 01 Jan \(year) 00:00:00 GMT").expires == nil)
        #expect(try SetCookie(parsing: "a=b; Expires=Mon, 01 Jan 1601 00:00:00 GMT").expires != nil)
    }

    @Test func printsNoValue() throws {
        let set = try SetCookie(parsing: "sid=secret")
        #expect(!"\(set)".contains("secret") && !String(reflecting: set).contains("secret"))
    }
}

/// Several fields in one line, as some libraries hand them over.
@Suite struct FoldedFieldTests {
    @Test(arguments: [
        ("a=1, b=2", ["a=1", "b=2"]),
        (
            "a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT; Path=/, b=2; Expires=Fri, 02-Jan-2026 00:00:00 GMT,c=3",
            [
                "a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT; Path=/", "b=2; Expires=Fri, 02-Jan-2026 00:00:00 GMT",
                "c=3",
            ]
        ),
        ("a=x,y", ["a=x,y"]), ("a=x, y z=1", ["a=x, y z=1"]), ("a=1,,b=2", ["a=1,", "b=2"]), ("", []),
        (" ,a=1", [",a=1"]),
        ("a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT", ["a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT"]),
    ])
    func C9_areTakenApartAtTheirEndsAlone(_ text: String, _ fields: [String]) {
        if text == " ,a=1" {
            #expect(SetCookie.fields(folded: text).last == "a=1")
        } else {
            #expect(SetCookie.fields(folded: text) == fields)
        }
    }
}
