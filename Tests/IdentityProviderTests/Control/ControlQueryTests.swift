import IdentityProvider
import Primitives
import Testing

/// An operation does what it was asked to, or nothing.
@Suite struct ControlQueryTests {
    @Test(arguments: [
        ("DELETE", "/sessions?usr=bob", "did you mean user?"), ("DELETE", "/faults?client=app", "this takes none"),
        ("DELETE", "/requests?client=zzz", "this takes none"),
        ("GET", "/requests?clientt=app", "did you mean client?"),
        ("GET", "/families?fromat=dot", "did you mean format?"), ("GET", "/sessions?usr=", "did you mean user?"),
        ("GET", "/events?knd=refresh", "did you mean kind?"), ("GET", "/barriers?wait=1s", "this takes none"),
        ("POST", "/reset?keep=users", "this takes none"), ("GET", "/requests?LIMIT=1", "there is no LIMIT"),
        ("GET", "/requests?limit=1&limit=2", "limit is there more than once"),
        ("DELETE", "/sessions?user=alice&user=bob", "user is there more than once"),
    ])
    func refusesAQueryThatItDoesNotKnow(_ method: String, _ path: String, _ hint: String) async throws {
        let control = try await ControlUnderTest()
        _ = try await control.newSession()
        _ = try await control.json("POST", "/faults", ["fault": "drop"])
        let answer = await control.call(method, path)
        #expect(answer.status == 400)
        #expect(answer.errorDescription.contains(hint), "\(answer.errorDescription)")
        #expect(try await control.json("GET", "/sessions")["families"]?.array?.count == 1)
        #expect(try await control.json("GET", "/faults")["faults"]?.array?.count == 1)
    }

    @Test(
        arguments: [
            ("POST", "/clock/freeze", ["now": "2030-01-01T00:00:00Z"]), ("POST", "/reset", ["keep": ["users"]]),
            ("POST", "/clock/reset", [:]), ("DELETE", "/faults", ["client": "app"]),
            ("GET", "/requests", ["client": "app"]),
        ] as [(String, String, JSON)])
    func refusesABodyThatNothingReads(_ method: String, _ path: String, _ body: JSON) async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json("POST", "/faults", ["fault": "drop"])
        let answer = await control.call(method, path, body)
        #expect(answer.status == 400)
        #expect(answer.errorDescription.contains("takes no body"))
        #expect(!control.context.clock.isFrozen)
        #expect(try await control.json("GET", "/faults")["faults"]?.array?.count == 1)
    }
}
