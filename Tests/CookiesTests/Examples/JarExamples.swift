import Cookies
import Foundation
import Primitives
import Testing

/// The examples of the documentation: what a jar takes and gives, and how it is kept.
@Suite struct JarExamples {
    private let context = CookieContext.request("https://app.example/account")
    private let url = CookieContext.request("https://app.example/account").url

    @Test func takesAndGives() {
        let setCookieFields = ["sid=31d4", "stray=1; Domain=other.example"]
        var jar = CookieJar()
        for field in setCookieFields { _ = try? jar.receive(field, from: context, at: now) }
        let cookieField = jar.field(for: context, at: now)
        #expect(cookieField == "sid=31d4")
    }

    @Test func receives() throws {
        var jar = CookieJar()
        let change = try jar.receive("sid=31d4; Path=/; HttpOnly", from: context, at: now)
        #expect(change.identity == Cookie.Identity(name: "sid", domain: "app.example"))
        let set = try SetCookie(parsing: "theme=dark; Max-Age=3600")
        if set.name == "theme" { try jar.receive(set, from: context, at: now) }
        let names = jar.cookies(for: CookieContext(url: url, access: .script), at: now).map(\.name)
        #expect(names == ["theme"])
        let field = jar.field(for: CookieContext(url: url), at: now)
        #expect(field == "sid=31d4; theme=dark")
    }

    @Test func refuses() {
        var printed = ""
        func print(_ error: CookieRefusal) { printed = "\(error)" }
        var jar = CookieJar()
        do throws(CookieRefusal) { try jar.receive("a=1; Domain=com", from: context, at: now) } catch {
            print(error)
        }
        #expect(printed == "Domain is one below which anybody can have a host" && jar.all.isEmpty)
    }

    @Test func contexts() {
        let context = CookieContext(url: url)
        let foreign = CookieContext(url: url, origin: .crossSite)
        let script = CookieContext(url: url, access: .script)
        #expect(Set([context, foreign, script]).count == 3)
    }

    @Test func policies() throws {
        var policy = CookiePolicy()
        policy.secureOrigins = .encryptedOrLoopback
        let jar = CookieJar(policy: policy)
        var other = jar
        try other.receive("a=1; Secure", from: .request("http://localhost/"), at: now)
        #expect(other.all.count == 1 && jar.all.isEmpty)
    }

    @Test func changes() throws {
        let before = try CookieJar(["a=1", "b=2"])
        let after = try CookieJar(["b=3"])
        var copy = before
        let changes = CookieChange.changes(from: before.all, to: after.all)
        for change in changes { try copy.apply(change, at: now) }
        #expect(copy.all == after.all)
        for change in changes {
            switch change {
            case .set(let cookie): print("came", cookie.name)
            case .expire(let identity): print("went", identity.name)
            }
        }
        #expect(changes.map(\.identity.name) == ["a", "b"])
    }

    @Test func copiesChanges() throws {
        let cookie = Cookie(name: "a", value: "1", domain: "app.example", at: now)
        var jar = CookieJar()
        try jar.apply(.set(cookie), at: now)
        try jar.apply(.expire(cookie.identity), at: now)
        #expect(jar.all.isEmpty)
    }

    @Test func empties() throws {
        var jar = try CookieJar(["a=1; Max-Age=60", "b=2"])
        let now = now + .seconds(60)
        for identity in jar.removeExpired(at: now) { print(identity.name, "is over") }
        #expect(jar.all.map(\.name) == ["b"])
        let ended = jar.endSession()
        #expect(ended.map(\.name) == ["b"] && jar.all.isEmpty)
        jar = try CookieJar(["c=3"])
        jar.removeAll()
        #expect(jar.all.isEmpty)
    }

    @Test func isSavedAsData() throws {
        let jar = try CookieJar(["a=1; Max-Age=60", "b=2"])
        let data = try JSONEncoder().encode(CookieArchive(jar, at: now))
        let restored = try JSONDecoder().decode(CookieArchive.self, from: data).restore(at: now)
        #expect(restored.jar.all.map(\.name) == ["a"])
    }

    @Test func isSavedWithoutFoundation() throws {
        let jar = try CookieJar(["a=1; Max-Age=60", "b=2"])
        let bytes = CookieArchive(jar, at: now).json.serialised()
        let archive = try CookieArchive(json: JSON(parsing: bytes.span))
        let restored = archive.restore(at: now)
        #expect(restored.jar.all.map(\.name) == ["a"])
    }

    @Test func keepsSessionCookies() throws {
        let jar = try CookieJar(["a=1; Max-Age=60", "b=2"])
        let archive = CookieArchive(jar, sessionCookies: .given(.seconds(86_400)), at: now)
        let restored = archive.restore(at: now)
        print(restored.jar.all.count, "cookies,", restored.damagedCount, "could not be read")
        #expect(restored.jar.all.map(\.name) == ["a", "b"] && restored.damagedCount == 0)
    }

    @Test func leavesAloneWhatIsNewer() {
        let saved: JSON = ["version": 2, "cookies": []]
        var archive: CookieArchive?
        var keepsFile = false
        do throws(CookieArchiveError) { archive = try CookieArchive(json: saved) } catch {
            if error == .newerVersion { keepsFile = true }
        }
        #expect(keepsFile && archive == nil)
    }
}
