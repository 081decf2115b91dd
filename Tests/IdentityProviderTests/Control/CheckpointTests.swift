import HTTPMessages
import IdentityProvider
import Primitives
import Synchronization
import Testing

/// Which points a request passes.
@Suite struct CheckpointTests {
    private final class Listener: CheckpointListener {
        private let names = Mutex<[String]>([])

        func reached(_ checkpoint: Checkpoint, by passage: Passage) async {
            guard passage.endpoint == "/token" else { return }
            names.withLock { $0.append(checkpoint.rawValue) }
        }

        var seen: [String] { names.withLock { $0 } }
    }

    @Test func arePassedByARefreshInTheirOrder() async throws {
        let listener = Listener()
        let control = try await ControlUnderTest(listener: listener)
        let session = try await control.newSession()
        #expect(await control.refresh(session.refresh).status == 200)
        #expect(
            listener.seen == [
                "request.received", "refresh.received", "refresh.judged", "refresh.committed", "refresh.responding",
                "response.sending",
            ])
    }

    @Test func stopWhereARefreshIsRefused() async throws {
        let listener = Listener()
        let control = try await ControlUnderTest(listener: listener)
        let session = try await control.newSession()
        _ = await control.refresh(session.refresh)
        let before = listener.seen.count
        #expect(await control.refresh(session.refresh).error == "invalid_grant")
        #expect(
            listener.seen.dropFirst(before) == [
                "request.received", "refresh.received", "refresh.judged", "response.sending",
            ])
    }

    @Test func areNotThoseOfARefreshForAnotherGrant() async throws {
        let listener = Listener()
        let control = try await ControlUnderTest(listener: listener)
        _ = await control.ask()
        #expect(listener.seen == ["request.received", "response.sending"])
    }

    @Test(
        arguments: [
            (.refreshReceived, .refreshJudged, true), (.requestReceived, .codeCommitted, true),
            (.refreshJudged, .refreshReceived, false), (.refreshReceived, .refreshReceived, false),
            (.refreshReceived, .codeJudged, false), (.codeReceived, .refreshJudged, false),
            (.responseSending, .refreshJudged, false), (.responseSending, .responseSent, true),
        ] as [(Checkpoint, Checkpoint, Bool)])
    func knowWhatComesBeforeWhat(_ first: Checkpoint, _ second: Checkpoint, _ expected: Bool) {
        #expect(first.comes(before: second) == expected)
    }

    @Test(arguments: Checkpoint.holdable)
    func haveOneThatComesNext(_ checkpoint: Checkpoint) {
        #expect(checkpoint.comes(before: checkpoint.next))
    }
}
