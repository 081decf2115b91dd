import Cookies
import Foundation
import Primitives
import Testing

/// The archive without Foundation: the same text, and the same refusals.
@Suite struct CookieArchiveJSONTests {
    private static let every: [Cookie] = Cookie.SameSite.allCases.flatMap { sameSite in
        [true, false].flatMap { flag in
            [nil, now + .milliseconds(12_345)].map { expires in
                Cookie(
                    name: "n-\(sameSite)-\(flag)-\(expires == nil)", value: "v=\"ä,\u{1F36A}\\", domain: "app.example",
                    isHostOnly: flag, path: "/p", expires: expires, isSecure: true, isHTTPOnly: flag,
                    sameSite: sameSite, at: now)
            }
        }
    }

    private func jar(_ cookies: [Cookie] = every) throws -> CookieJar {
        var jar = CookieJar()
        for cookie in cookies { try jar.apply(.set(cookie), at: now) }
        return jar
    }

    @Test func everyCookieComesBackWhole() throws {
        let jar = try jar()
        let text = CookieArchive(jar, sessionCookies: .kept, at: now).json.serialised()
        let restored = try CookieArchive(json: JSON(parsing: text.span)).restore(at: now)
        #expect(restored.jar.all == jar.all && restored.damagedCount == 0 && restored.expired.isEmpty)
        #expect(restored.jar.all.count == Self.every.count)
    }

    @Test func isTheTextOfTheEncoder() throws {
        let archive = CookieArchive(try jar(), sessionCookies: .kept, at: now)
        let encoded = Array(try JSONEncoder().encode(archive))
        #expect(try JSON(parsing: encoded.span) == archive.json)
        let decoded = try JSONDecoder().decode(CookieArchive.self, from: Data(archive.json.serialised()))
        #expect(decoded.json == archive.json)
    }

    @Test(arguments: [
        (#""value":"1""#, #""value":"1\r\nSet-Cookie: x=y""#), (#""value":"1""#, #""value":"1; x=y""#),
        (#""value":"1""#, #""value":1"#), (#""name":"a""#, #""name":"__Host-a""#), (#""name":"a""#, #""name":"a=b""#),
        (#""name":"a","#, ""), (#""domain":"app.example""#, #""domain":".app.example""#),
        (#""domain":"app.example""#, #""domain":"App.example""#), (#""path":"/""#, #""path":"x""#),
        (#""sameSite":"lax""#, #""sameSite":"none""#), (#""sameSite":"lax""#, #""sameSite":"other""#),
        (#""created":0"#, #""created":"0""#), (#""created":0"#, #""created":0.5"#),
        (#""created":0"#, #""created":0,"expires":"1""#), (#""created":0"#, #""created":0,"expires":1e3"#),
        (#""httpOnly":false,"#, ""), (#""secure":false"#, #""secure":0"#), (#""hostOnly":true"#, #""hostOnly":null"#),
    ])
    func refusesWhatNoServerCanHaveSet(_ part: String, _ changed: String) throws {
        let text =
            #"{"version":1,"cookies":[{"name":"a","value":"1","domain":"app.example","hostOnly":true,"path":"/","secure":false,"httpOnly":false,"sameSite":"lax","created":0}]}"#
        #expect(try CookieArchive(json: JSON(parsing: text)).restore(at: now).damagedCount == 0)
        let other = text.replacingOccurrences(of: part, with: changed)
        #expect(other != text)
        let restored = try CookieArchive(json: JSON(parsing: other)).restore(at: now)
        #expect(restored.damagedCount == 1 && restored.jar.count == 0)
    }

    @Test(arguments: [
        "{}", "[]", "null", #"{"version":1}"#, #"{"version":0,"cookies":[]}"#, #"{"version":"1","cookies":[]}"#,
        #"{"version":1,"cookies":{}}"#, #"{"version":-1,"cookies":[]}"#,
    ])
    func refusesWhatIsNoArchiveOfOurs(_ text: String) {
        #expect(throws: CookieArchiveError.malformed) { try CookieArchive(json: JSON(parsing: text)) }
    }

    @Test func refusesWhatANewerVersionHasSaved() {
        #expect(throws: CookieArchiveError.newerVersion) {
            try CookieArchive(json: JSON(parsing: #"{"version":2,"cookies":[]}"#))
        }
    }
}
