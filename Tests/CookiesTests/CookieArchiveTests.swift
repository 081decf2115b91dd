import Cookies
import Foundation
import Primitives
import Testing

/// Saving and restoring: nothing is lost on the way, and nothing comes in that no server could have set.
@Suite struct CookieArchiveTests {
    private static let every: [Cookie] = Cookie.SameSite.allCases.flatMap { sameSite in
        [true, false].flatMap { flag in
            [nil, now + .milliseconds(12_345)].map { expires in
                Cookie(
                    name: "n-\(sameSite)-\(flag)", value: "v=\"ä,\u{1F36A}", domain: "app.example", isHostOnly: flag,
                    path: "/p", expires: expires, isSecure: true, isHTTPOnly: flag, sameSite: sameSite, at: now)
            }
        }
    }

    @Test(arguments: every)
    func aCookieComesBackWhole(_ cookie: Cookie) throws {
        for encoder in [
            JSONEncoder(),
            {
                $0.dateEncodingStrategy = .iso8601; return $0
            }(JSONEncoder()),
        ] {
            let data = try encoder.encode(cookie)
            #expect(try JSONDecoder().decode(Cookie.self, from: data) == cookie)
            #expect(try JSON(parsing: String(decoding: data, as: UTF8.self)) == cookie.json)
        }
        #expect(Cookie(json: cookie.json) == cookie)
        let list = try PropertyListEncoder().encode(cookie)
        #expect(try PropertyListDecoder().decode(Cookie.self, from: list) == cookie)
    }

    @Test(arguments: [
        (#""value":"1""#, #""value":"1\r\nSet-Cookie: x=y""#), (#""value":"1""#, #""value":"1; x=y""#),
        (#""name":"a""#, #""name":"__Host-a""#), (#""name":"a""#, #""name":"a=b""#),
        (#""domain":"app.example""#, #""domain":"x y""#),
        (#""domain":"app.example""#, #""domain":".app.example""#),
        (#""domain":"app.example""#, #""domain":"App.example""#),
        (#""path":"/""#, #""path":"x""#), (#""path":"/""#, #""path":"/\u0001""#),
        (#""sameSite":"lax""#, #""sameSite":"none""#),
        (#""sameSite":"lax""#, #""sameSite":"other""#), (#""created":0"#, #""created":"0""#),
        (#""httpOnly":false,"#, ""),
    ])
    func refusesWhatNoServerCanHaveSet(_ part: String, _ changed: String) throws {
        let text =
            #"{"name":"a","value":"1","domain":"app.example","hostOnly":true,"path":"/","secure":false,"httpOnly":false,"sameSite":"lax","created":0}"#
        _ = try JSONDecoder().decode(Cookie.self, from: Data(text.utf8))
        let other = text.replacingOccurrences(of: part, with: changed)
        #expect(other != text)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Cookie.self, from: Data(other.utf8)) }
        #expect(Cookie(json: try JSON(parsing: text)) != nil)
        #expect(Cookie(json: try JSON(parsing: other)) == nil)
    }

    private func archived(_ jar: CookieJar, _ sessionCookies: CookieArchive.SessionCookies) throws -> Data {
        try JSONEncoder().encode(CookieArchive(jar, sessionCookies: sessionCookies, at: now))
    }

    private func restored(_ data: Data, at moment: Timestamp = now) throws -> CookieArchive.Restored {
        try JSONDecoder().decode(CookieArchive.self, from: data).restore(at: moment)
    }

    @Test func sessionCookiesEndUnlessItWasDecidedOtherwise() throws {
        let jar = try CookieJar(["short=1; HttpOnly", "long=1; Max-Age=60"])
        #expect(try restored(archived(jar, .leftOut)).jar.all.map(\.name) == ["long"])
        #expect(try restored(archived(jar, .kept)).jar.all == jar.all)
        let given = try restored(archived(jar, .given(.seconds(86_400)))).jar.all
        #expect(given.map(\.expires) == [now + .seconds(86_400), now + .seconds(60)])
        #expect(given.first?.isHTTPOnly == true)
        let long = try restored(archived(jar, .given(.seconds(1_000 * 86_400)))).jar.all
        #expect(long.first?.expires == now + Cookie.ageLimit)
    }

    @Test func saysWhatWasOver() throws {
        let data = try archived(try CookieJar(["short=1; Max-Age=5", "long=1; Max-Age=60"]), .leftOut)
        let restored = try restored(data, at: now + .seconds(10))
        #expect(restored.jar.all.map(\.name) == ["long"])
        #expect(restored.expired.map(\.name) == ["short"] && restored.damagedCount == 0)
    }

    @Test func oneThatIsDamagedCostsItselfAlone() throws {
        let data = try archived(try CookieJar(["a=1; Max-Age=60", "b=1; Max-Age=60"]), .leftOut)
        let text = String(decoding: data, as: UTF8.self).replacingOccurrences(of: #""name":"a""#, with: #""name":"a;""#)
        let restored = try restored(Data(text.utf8))
        #expect(restored.jar.all.map(\.name) == ["b"] && restored.damagedCount == 1)
    }

    @Test(arguments: [
        "", "{}", #"{"version":1}"#, #"{"version":0,"cookies":[]}"#, #"{"version":2,"cookies":[]}"#, "[]",
    ])
    func refusesWhatIsNoArchiveOfOurs(_ text: String) {
        #expect(throws: (any Error).self) { try restored(Data(text.utf8)) }
    }

    @Test func printsNoValues() throws {
        let cookie = Cookie(name: "a", value: "secret", domain: "app.example", at: now)
        #expect(!"\(cookie)".contains("secret") && !String(reflecting: cookie).contains("secret"))
        #expect(!"\(CookieChange.set(cookie))".contains("secret"))
        var dumped = ""
        dump(cookie, to: &dumped)
        #expect(!dumped.contains("secret"))
    }
}

/// What leads from one state of a store to another, removals included.
@Suite struct CookieChangeTests {
    private func cookie(_ name: String, _ value: String = "1", at moment: Timestamp = now) -> Cookie {
        Cookie(name: name, value: value, domain: "app.example", at: moment)
    }

    @Test func tellsWhatCameWhatChangedAndWhatWent() {
        let old = [cookie("gone"), cookie("same"), cookie("changed")]
        let new = [cookie("same", at: now + .seconds(1)), cookie("changed", "2"), cookie("new")]
        #expect(
            CookieChange.changes(from: old, to: new) == [
                .expire(cookie("gone").identity), .set(cookie("changed", "2")), .set(cookie("new")),
            ])
        #expect(CookieChange.changes(from: old, to: old).isEmpty)
    }

    /// Whatever two states there are: the changes lead from the one to the other.
    @Test func leadFromAnyStateToAnyOther() throws {
        let random = SeededRandom(seed: 7)
        func state() -> [Cookie] {
            random.bytes(6).map { cookie("n\($0 % 5)", "v\($0 % 3)") }
        }
        for _ in 0..<500 {
            let (old, new) = (state(), state())
            var jar = CookieJar()
            for cookie in old { try jar.apply(.set(cookie), at: now) }
            for change in CookieChange.changes(from: old, to: new) { try jar.apply(change, at: now) }
            var expected = CookieJar()
            for cookie in new { try expected.apply(.set(cookie), at: now) }
            #expect(Set(jar.all) == Set(expected.all))
        }
    }
}
