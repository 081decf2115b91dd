import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

@Suite struct DeviceLoginTests {
    private static let authorization = #"""
        {"device_code":"device-1","user_code":"WDJB-MJHT","verification_uri":"https://id.example/device",
         "verification_uri_complete":"https://id.example/device?c=WDJB-MJHT","expires_in":1800,"interval":7}
        """#
    private static let pending = ScriptedReply.json(#"{"error":"authorization_pending"}"#, status: 400)
    private static let slowDown = ScriptedReply.json(#"{"error":"slow_down"}"#, status: 400)

    private let server = ScriptedServer { _ in pending }
    private let clock = ManualClock(startingAt: LoginFixtures.now)

    private func run(
        _ replies: [ScriptedReply], alarm: any Alarm, authorization: String = authorization,
        description: ServerDescription = LoginFixtures.server(), show: (DevicePrompt) async throws -> Void = { _ in }
    ) async throws(LoginError) -> CompletedLogin {
        server.enqueue(.json(authorization))
        for reply in replies { server.enqueue(reply) }
        let tokens = LoginFixtures.tokens(server, server: description, clock: clock)
        return try await DeviceLogin(tokens, alarm: alarm).run(show: show)
    }

    private func error(
        _ replies: [ScriptedReply], alarm: ImmediateAlarm = ImmediateAlarm(), authorization: String = authorization
    ) async -> LoginError? {
        do throws(LoginError) {
            _ = try await run(replies, alarm: alarm, authorization: authorization)
            return nil
        } catch { return error }
    }

    @Test func asksUntilTheUserHasSaidYes() async throws {
        let alarm = ImmediateAlarm()
        var shown: DevicePrompt?
        let completed = try await run([Self.pending, Self.pending, .json(LoginFixtures.grant)], alarm: alarm) {
            shown = $0
        }
        #expect(LoginFixtures.text(of: completed.grant.accessToken) == "access-1")
        #expect(shown?.userCode == "WDJB-MJHT" && shown?.verificationURL == "https://id.example/device")
        #expect(shown?.completeVerificationURL == "https://id.example/device?c=WDJB-MJHT")
        #expect(shown?.lifetime == .seconds(1800))
        #expect(alarm.delays == [.seconds(7), .seconds(7), .seconds(7)])
        #expect(server.requests.map { $0.form["device_code"] } == [nil, "device-1", "device-1", "device-1"])
        #expect(server.requests[0].url == "https://id.example/device")
        #expect(server.requests[0].form["client_id"] == "native-app")
    }

    /// RFC 8628 section 3.5: five seconds more, for this poll and all that follow.
    @Test func asksLessOftenWhereItIsToldTo() async throws {
        let alarm = ImmediateAlarm()
        _ = try await run([Self.slowDown, Self.pending, Self.slowDown, .json(LoginFixtures.grant)], alarm: alarm)
        #expect(alarm.delays == [.seconds(7), .seconds(12), .seconds(12), .seconds(17)])
    }

    /// RFC 8628 section 3.5: less often where nobody answers; and as long as a server wants to be left alone.
    @Test func asksLessOftenWhereNobodyAnswers() async throws {
        let alarm = ImmediateAlarm()
        _ = try await run(
            [
                .failure(.timedOut), .status(503), Self.pending, .status(503, [.retryAfter: "90"]), Self.pending,
                .text("<html>"), .json(LoginFixtures.grant),
            ], alarm: alarm)
        #expect(alarm.delays == [7, 14, 28, 28, 90, 56, 60].map { .seconds($0) })
    }

    @Test(arguments: [
        (ScriptedReply.json(#"{"error":"access_denied"}"#, status: 400), LoginError.denied),
        (.json(#"{"error":"expired_token"}"#, status: 400), .expired),
        (.json(#"{"error":"invalid_grant"}"#, status: 400), .refused(TokenRefusal(code: "invalid_grant"))),
        (.failure(.cancelled), .cancelled),
    ])
    func stopsAtAnAnswerThatIsOne(_ reply: ScriptedReply, _ expected: LoginError) async throws {
        #expect(await error([Self.pending, reply]) == expected)
        #expect(server.requests.count == 3)
    }

    @Test func stopsWhenTheCodeHasExpired() async throws {
        let alarm = ImmediateAlarm()
        let short = Self.authorization.replacing("1800", with: "21")
        #expect(await error([], alarm: alarm, authorization: short) == .expired)
        #expect(alarm.delays.count == 3)
    }

    @Test func stopsWhenTheClockSaysSo() async throws {
        let clock = clock
        let waiting = ScriptedServer { request in
            if request.head.path == "/device" { return .json(Self.authorization) }
            clock.advance(by: .seconds(1000))
            return Self.pending
        }
        let tokens = LoginFixtures.tokens(waiting, clock: clock)
        await #expect(throws: LoginError.expired) {
            _ = try await DeviceLogin(tokens, alarm: ImmediateAlarm()).run { _ in }
        }
        #expect(waiting.requests.count == 3)
    }

    @Test(arguments: [
        ("", 5), (#","interval":0"#, 1), (#","interval":-5"#, 1), (#","interval":1e9"#, 60), (#","interval":"x""#, 5),
    ])
    func asksNeitherTooOftenNorTooSeldom(_ interval: String, _ seconds: Int) async throws {
        let alarm = ImmediateAlarm()
        _ = try await run(
            [.json(LoginFixtures.grant)], alarm: alarm,
            authorization: Self.authorization.replacing(#","interval":7"#, with: interval))
        #expect(alarm.delays == [.seconds(seconds)])
    }

    @Test(arguments: [
        (#""device_code":"device-1""#, #""device_code":"""#), (#""user_code":"WDJB-MJHT""#, #""x":1"#),
        (#""user_code":"WDJB-MJHT""#, #""user_code":"a\nb""#),
        (#""verification_uri":"https://id.example/device""#, #""verification_uri":"http://evil.example/""#),
        (#""verification_uri":"https://id.example/device""#, #""verification_uri":"javascript:alert(1)""#),
        (#""expires_in":1800"#, #""expires_in":0"#), (#""expires_in":1800"#, #""x":1"#), ("{", "["),
    ])
    func showsNothingThatIsNotWhole(_ good: String, _ bad: String) async throws {
        #expect(
            await error([], authorization: Self.authorization.replacing(good, with: bad))
                == .unavailable(Unavailability(.unreadable)))
        #expect(server.requests.count == 1)
    }

    @Test func showsNoShortcutThatLeadsElsewhere() async throws {
        var shown: DevicePrompt?
        _ = try await run(
            [.json(LoginFixtures.grant)], alarm: ImmediateAlarm(),
            authorization: Self.authorization.replacing("https://id.example/device?c", with: "http://evil.example/?c")
        ) { shown = $0 }
        #expect(shown != nil && shown?.completeVerificationURL == nil)
    }

    @Test func saysWhatTheServerDoesNotOffer() async throws {
        await #expect(throws: LoginError.self) {
            _ = try await run(
                [], alarm: ImmediateAlarm(),
                description: LoginFixtures.server { $0.deviceAuthorizationEndpoint = nil })
        }
        #expect(server.requests.isEmpty)
    }

    @Test func stopsWhereTheCodeCannotBeShown() async throws {
        struct NoScreen: Error {}
        await #expect(throws: LoginError.notPossibleHere("the code could not be shown")) {
            _ = try await run([], alarm: ImmediateAlarm()) { _ in throw NoScreen() }
        }
        #expect(server.requests.count == 1)
    }

    @Test func stopsWhenItIsCancelled() async throws {
        let alarm = ManualAlarm()
        server.enqueue(.json(Self.authorization))
        let login = DeviceLogin(LoginFixtures.tokens(server), alarm: alarm)
        let running = Task { try await login.run { _ in } }
        let bell = await alarm.armed()
        running.cancel()
        await #expect(throws: LoginError.cancelled) { _ = try await running.value }
        // The alarm cannot be taken back; it rings for nobody.
        bell.ring()
        #expect(server.requests.count == 1)
    }

    @Test func doesNotWaitWhereItWasCancelledBefore() async throws {
        server.enqueue(.json(Self.authorization))
        let login = DeviceLogin(LoginFixtures.tokens(server), alarm: NoAlarm())
        let running = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await login.run { _ in }
        }
        await #expect(throws: LoginError.cancelled) { _ = try await running.value }
    }
}
