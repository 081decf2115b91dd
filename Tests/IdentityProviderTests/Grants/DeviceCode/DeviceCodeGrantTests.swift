import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// RFC 8628 sections 3.3 to 3.5.
@Suite struct DeviceCodeGrantTests {
    let provider: GrantsProvider

    init() async throws { provider = try await GrantsProvider() }

    @Test func givesTokensWhenTheUserHasAgreed() async throws {
        let flow = try await DeviceFlow(provider, also: [("scope", "openid read")])
        #expect(await flow.ask() == "400 authorization_pending")
        #expect(try await flow.decide() == .decided)
        let answer = await flow.poll()
        #expect(answer.status == 200)
        #expect(answer.json?["scope"] == "openid read")
        #expect(try await provider.claims(try answer.text("access_token")).subject == "alice")
        #expect(try await provider.idTokenClaims(try answer.text("id_token"), audience: "app").subject == "alice")
        #expect(await provider.refresh(try answer.text("refresh_token"), as: "app").status == 200)
    }

    /// Section 3.5: access_denied, and it stays so.
    @Test func refusesWhenTheUserHasDenied() async throws {
        let flow = try await DeviceFlow(provider)
        #expect(try await flow.decide(approve: false) == .decided)
        #expect(await flow.ask() == "400 access_denied")
        #expect(try await flow.decide() == .decidedBefore)
        #expect(await flow.ask() == "400 access_denied")
    }

    @Test(arguments: [("", "400 invalid_request"), ("dc1.x", "400 invalid_grant"), ("null", "400 invalid_grant")])
    func refusesWhatIsNoDeviceCode(code: String, expected: String) async {
        let answer = await provider.token(
            [("grant_type", GrantsProvider.deviceGrant), ("device_code", code)], as: "app")
        #expect(GrantsProvider.summary(answer) == expected)
    }

    @Test func refusesTheUserCodeInThePlaceOfTheDeviceCode() async throws {
        let flow = try await DeviceFlow(provider)
        try await flow.decide()
        let answer = await provider.token(
            [("grant_type", GrantsProvider.deviceGrant), ("device_code", flow.userCode)], as: "app")
        #expect(GrantsProvider.summary(answer) == "400 invalid_grant")
    }

    /// RFC 6749 section 5.2. Somebody else who asks changes nothing, neither the interval nor the code.
    @Test(arguments: ["service:secret", "native"])
    func refusesACodeOfAnotherClient(client: String) async throws {
        let flow = try await DeviceFlow(provider)
        for _ in 0..<3 { #expect(await flow.ask(as: client) == "400 invalid_grant") }
        try await flow.decide()
        #expect(await flow.ask(as: client) == "400 invalid_grant")
        #expect(await flow.ask() == "200 -")
    }

    @Test func refusesAClientThatMayNotUseIt() async throws {
        let flow = try await DeviceFlow(provider)
        #expect(await flow.ask(as: "idle:secret") == "400 unauthorized_client")
    }

    @Test func refusesACodeThatWasRedeemed() async throws {
        let flow = try await DeviceFlow(provider)
        try await flow.decide()
        #expect(await flow.ask() == "200 -")
        for _ in 0..<3 { #expect(await flow.ask() == "400 invalid_grant") }
    }

    /// Section 3.5: the interval, to the millisecond.
    @Test(arguments: [(5000, "400 authorization_pending"), (4999, "400 slow_down"), (0, "400 slow_down")])
    func wantsTheIntervalBetweenTwoQuestions(milliseconds: Int, expected: String) async throws {
        let flow = try await DeviceFlow(provider)
        #expect(await flow.ask() == "400 authorization_pending")
        provider.clock.advance(by: .milliseconds(milliseconds))
        #expect(await flow.ask() == expected)
    }

    /// Section 3.5: slow_down MUST increase the interval by five seconds for this and all subsequent requests.
    @Test func theIntervalGrowsByFiveSeconds() async throws {
        let flow = try await DeviceFlow(provider)
        _ = await flow.ask()
        #expect(await flow.ask() == "400 slow_down")
        provider.clock.advance(by: .milliseconds(9_999))
        #expect(await flow.ask() == "400 slow_down")
        provider.clock.advance(by: .milliseconds(14_999))
        #expect(await flow.ask() == "400 slow_down")
        provider.clock.advance(by: .seconds(20))
        #expect(await flow.ask() == "400 authorization_pending")
        provider.clock.advance(by: .milliseconds(19_999))
        #expect(await flow.ask() == "400 slow_down")
    }

    /// slow_down is a variant of authorization_pending: a decision is told at once.
    @Test func whoAsksTooSoonLearnsOfTheDecision() async throws {
        let flow = try await DeviceFlow(provider)
        _ = await flow.ask()
        try await flow.decide()
        #expect(await flow.ask() == "200 -")
    }

    @Test func aClockSetBackKeepsNobodyWaiting() async throws {
        let flow = try await DeviceFlow(provider)
        provider.clock.advance(by: .seconds(100))
        _ = await flow.ask()
        provider.clock.advance(by: .seconds(-50))
        #expect(await flow.ask() == "400 authorization_pending")
    }

    /// Section 3.5: expired_token, to the millisecond, whatever the user has decided.
    @Test(arguments: [(599_999, "200 -"), (600_000, "400 expired_token"), (600_001, "400 expired_token")])
    func aCodeEndsAtTheMillisecond(milliseconds: Int, expected: String) async throws {
        let flow = try await DeviceFlow(provider)
        try await flow.decide()
        provider.clock.advance(by: .milliseconds(milliseconds))
        #expect(await flow.ask() == expected)
    }

    @Test(arguments: [(599_999, DeviceVerification.Outcome.decided), (600_000, .unknownCode)])
    func aUserCodeEndsAtTheMillisecond(milliseconds: Int, expected: DeviceVerification.Outcome) async throws {
        let flow = try await DeviceFlow(provider)
        provider.clock.advance(by: .milliseconds(milliseconds))
        #expect(try await flow.decide() == expected)
    }

    @Test(arguments: ["", "BCDF-GHJK", "x", "AAAA-AAAA"])
    func nothingIsDecidedByACodeThatNobodyShows(code: String) async throws {
        let flow = try await DeviceFlow(provider)
        try #require(flow.userCode != code)
        #expect(try await flow.decide(code: code) == .unknownCode)
        #expect(await flow.ask() == "400 authorization_pending")
    }

    @Test func aCodeIsTakenHoweverItIsTyped() async throws {
        let flow = try await DeviceFlow(provider)
        let typed = " " + flow.userCode.lowercased().replacing("-", with: " ") + " "
        #expect(try await flow.decide(code: typed) == .decided)
    }

    /// Exactly one question gets the tokens.
    @Test(arguments: 1...10)
    func ofManyQuestionsAtOnceOneIsAnswered(round: Int) async throws {
        let flow = try await DeviceFlow(provider)
        try await flow.decide()
        let answers = await withTaskGroup(of: String.self) { group in
            for _ in 0..<32 { group.addTask { await flow.ask() } }
            return await group.reduce(into: [:] as [String: Int]) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == ["200 -": 1, "400 invalid_grant": 31])
    }

    /// One decision counts.
    @Test(arguments: 1...10)
    func ofManyDecisionsAtOnceOneCounts(round: Int) async throws {
        let flow = try await DeviceFlow(provider)
        let approved = try await withThrowingTaskGroup(of: (Bool, DeviceVerification.Outcome).self) { group in
            for index in 0..<32 {
                group.addTask { (index % 2 == 0, try await flow.decide(approve: index % 2 == 0)) }
            }
            return try await group.reduce(into: [Bool]()) { if $1.1 == .decided { $0.append($1.0) } }
        }
        #expect(approved.count == 1)
        #expect(await flow.ask() == (approved == [true] ? "200 -" : "400 access_denied"))
    }

    /// RFC 8707 section 2.2: a resource that was not granted spends nothing.
    @Test func refusesAResourceThatWasNotGrantedAndSpendsNothing() async throws {
        let flow = try await DeviceFlow(provider, also: [("resource", "https://a.example")])
        try await flow.decide()
        let refused = await flow.poll(also: [("resource", "https://b.example")])
        #expect(GrantsProvider.summary(refused) == "400 invalid_target")
        let answer = await flow.poll(also: [("resource", "https://a.example")])
        let claims = try await provider.claims(try answer.text("access_token"), audience: "https://a.example")
        #expect(claims.audience == ["https://a.example"])
    }

    /// The device is another session than the browser in which it was approved.
    @Test func outlivesTheLoginInWhichItWasApproved() async throws {
        let flow = try await DeviceFlow(provider)
        let login = try await provider.login()
        let outcome = try await DeviceVerification.decide(
            userCode: flow.userCode, as: .init(login), approve: true, in: provider.context)
        #expect(outcome == .decided)
        let now = provider.now
        _ = try await provider.context.store.change(login.id) { $0.ended = Family.Ending(.loggedOut, at: now) }
        #expect(await flow.ask() == "200 -")
    }
}
