import HTTPWire
import Testing

@Suite("Our own corpus of requests, most of them attacks")
struct RequestFixtureTests {
    @Test(arguments: RequestFixture.all)
    func givesTheExpectedAnswerInEveryChunking(_ fixture: RequestFixture) {
        let whole = RequestTrace(fixture.bytes)
        switch fixture.expect {
        case .accept:
            #expect(whole.failure == nil)
            #expect(whole.completeCount == fixture.count ?? 1)
            #expect(whole.heads.count == whole.completeCount)
        case .reject:
            #expect(whole.failure.map { "\($0)" } == fixture.error)
            #expect(whole.completeCount == fixture.count ?? 0)
        case .wait:
            #expect(whole.failure == nil)
            #expect(whole.completeCount == fixture.count ?? 0)
        }
        for chunking in Chunking.all {
            #expect(RequestTrace(fixture.bytes, chunking) == whole, "\(chunking)")
        }
    }

    /// Nothing that was refused is taken back, and nothing that waits was complete: a failure shows on every longer
    /// input, and only the end of the input turns waiting into a failure.
    @Test(arguments: RequestFixture.all)
    func refusesAtTheSameByteHoweverManyFollow(_ fixture: RequestFixture) {
        let bytes = fixture.bytes
        let whole = RequestTrace(bytes)
        guard whole.failure != nil else { return }
        #expect(RequestTrace(bytes + Array("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)) == whole)
    }

    @Test(arguments: RequestFixture.all.filter { $0.expect == .wait && !["", "\r\n"].contains($0.data) })
    func refusesWhatIsNotCompleteWhenTheInputEnds(_ fixture: RequestFixture) {
        #expect(RequestTrace(fixture.bytes, thenEnds: true).failure == .truncated)
    }

    @Test
    func everyReasonToRefuseARequestOccursInTheCorpus() {
        let seen = Set(RequestFixture.all.compactMap(\.error))
        let elsewhere: Set<WireError> = [
            .truncated, .unexpectedBytes, .badStatusLine, .headerTooLarge, .tooManyHeaderFields, .requestLineTooLong,
            .trailersTooLarge, .chunkExtensionsTooLarge, .unexpectedUpgrade, .tooManyInterimResponses,
        ]
        for error in WireError.allCases where !elsewhere.contains(error) {
            #expect(seen.contains("\(error)"))
        }
    }
}
