import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

/// What is known of a server: asked when it is first needed, once for everybody, and kept through its absence.
@Suite struct ServerDirectoryTests {
    private static let metadata = "/.well-known/openid-configuration"
    private let clock = ManualClock(startingAt: LoginFixtures.now)
    private let time = VirtualTime()

    private func directory(_ provider: SmallProvider, issuer: String = "https://id.example") -> ServerDirectory {
        ServerDirectory(
            SessionConfiguration(issuer: issuer, clientID: "native-app"), outbound: provider, clock: clock,
            alarm: time)
    }

    private func error(_ directory: ServerDirectory) async -> DiscoveryError? {
        do {
            _ = try await directory.tokens()
            return nil
        } catch { return error }
    }

    @Test func asksNobodyBeforeItIsNeeded() {
        let provider = SmallProvider()
        _ = directory(provider)
        #expect(provider.requests.isEmpty)
    }

    @Test func asksOnceForEverybody() async throws {
        let provider = SmallProvider()
        let gate = Gate()
        provider.holdsMetadata(at: gate)
        let directory = directory(provider)
        let waiters = (0..<8).map { _ in Task { try await directory.tokens().server.tokenEndpoint.url } }
        await gate.arrival()
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        for waiter in waiters { #expect(try await waiter.value == "https://id.example/token") }
        #expect(try await directory.tokens().client.clientID == "native-app")
        #expect(provider.paths == [Self.metadata])
    }

    @Test func whoAskedFirstMayGo() async throws {
        let provider = SmallProvider()
        let gate = Gate()
        provider.holdsMetadata(at: gate)
        let directory = directory(provider)
        let first = Task { try await directory.tokens() }
        await gate.arrival()
        let second = Task { try await directory.tokens() }
        first.cancel()
        gate.open()
        #expect(try await second.value.server.issuer.identifier == "https://id.example")
    }

    /// R12: who joins a question that is never answered would wait for ever, and so would all that follow.
    @Test func R12_aServerThatNeverAnswersIsAskedAgain() async throws {
        let provider = SmallProvider()
        let gate = Gate()
        provider.holdsMetadata(at: gate)
        let directory = directory(provider)
        let waiter = Task { await error(directory) }
        await gate.arrival()
        time.advance(by: .seconds(6))
        #expect(await waiter.value == .unreachable(.timedOut))
        gate.open()
        #expect(await error(directory) == nil)
        #expect(provider.paths.count == 2)
    }

    @Test func asksAgainAfterAFailure() async throws {
        let provider = SmallProvider()
        provider.isReachable(false)
        let directory = directory(provider)
        #expect(await error(directory) == .unreachable(.unreachable))
        provider.isReachable(true)
        #expect(await error(directory) == nil)
        #expect(provider.paths.count == 2)
    }

    @Test func asksAgainAfterADay() async throws {
        let provider = SmallProvider()
        let directory = directory(provider)
        _ = try await directory.tokens()
        provider.change("token_endpoint", to: "https://id.example/token2")
        clock.advance(by: .seconds(86_399))
        #expect(try await directory.tokens().server.tokenEndpoint.url == "https://id.example/token")
        clock.advance(by: .seconds(1))
        #expect(try await directory.tokens().server.tokenEndpoint.url == "https://id.example/token2")
    }

    @Test func whatWasTrueYesterdayIsBetterThanNothing() async throws {
        let provider = SmallProvider()
        let directory = directory(provider)
        _ = try await directory.tokens()
        clock.advance(by: .seconds(86_400))
        provider.isReachable(false)
        for _ in 0..<3 { #expect(try await directory.tokens().server.tokenEndpoint.url == "https://id.example/token") }
        // And it is not asked about each time.
        #expect(provider.paths.count == 2)
        clock.advance(by: .seconds(60))
        _ = try await directory.tokens()
        #expect(provider.paths.count == 3)
    }

    @Test(arguments: ["", "id.example", "https://id.example?x=1", "https://user@id.example"])
    func refusesWhatIsNoIssuer(_ issuer: String) async {
        guard case .notAnIssuer? = await error(directory(SmallProvider(), issuer: issuer)) else {
            Issue.record("\(issuer) is an issuer")
            return
        }
    }

    @Test func refusesTheMetadataOfAnother() async {
        let provider = SmallProvider(["issuer": "https://other.example"])
        #expect(await error(directory(provider)) == .otherIssuer(asked: "https://id.example"))
    }
}
