import HTTPMessages
import HTTPWire
import Networking
import Testing

@Suite struct ServerConnectionStateTests {
    static func state(_ configure: (inout ServerConfiguration.ConnectionLimits) -> Void = { _ in })
        -> ServerConnectionState
    {
        var limits = ServerConfiguration.ConnectionLimits()
        configure(&limits)
        return ServerConnectionState(limits: limits)
    }

    static func head(
        _ path: String = "/", keepAlive: Bool = true, expectsContinue: Bool = false, framing: BodyFraming = .none
    ) -> RequestParser.Event {
        .head(
            RequestHead(
                request: HTTPRequest(method: .get, scheme: nil, authority: "x", path: path), version: .http11,
                keepAlive: keepAlive, expectsContinue: expectsContinue, bodyFraming: framing))
    }

    static let end = RequestParser.Event.end(trailers: [:])

    static func path(_ item: ServerConnectionState.Item?) -> String? {
        if case .request(let request) = item { request.head.request.path } else { nil }
    }

    static func status(_ item: ServerConnectionState.Item?) -> Int? {
        if case .refusal(let refusal) = item { refusal.status.code } else { nil }
    }

    @Test func waitsForWhatIsMissing() {
        var state = Self.state()
        #expect(state.awaited(parserIsIdle: true) == .request)
        #expect(state.awaited(parserIsIdle: false) == .head)
        state.receive(Self.head(framing: .length(3)))
        #expect(state.awaited(parserIsIdle: false) == .body)
        let next = state.takeNext()
        #expect(next == nil)
        state.receive(.body([1]))
        state.receive(.body([2, 3]))
        state.receive(Self.end)
        #expect(state.awaited(parserIsIdle: true) == .nothing)
        guard case .request(let request) = state.takeNext() else {
            Issue.record("no request")
            return
        }
        #expect(request.body == [1, 2, 3])
        #expect(state.awaited(parserIsIdle: true) == .nothing)
        let after = state.responded(announcedClose: false)
        #expect(after == .nextRequest)
        #expect(state.awaited(parserIsIdle: true) == .request)
    }

    @Test func answersOneAtATimeInOrder() {
        var state = Self.state()
        for path in ["/1", "/2", "/3"] {
            state.receive(Self.head(path))
            state.receive(Self.end)
        }
        for path in ["/1", "/2", "/3"] {
            let next = state.takeNext()
            #expect(Self.path(next) == path)
            let next2 = state.takeNext()
            #expect(next2 == nil)
            let after = state.responded(announcedClose: false)
            #expect(after == .nextRequest)
        }
        let next3 = state.takeNext()
        #expect(next3 == nil)
    }

    @Test func refusesAfterWhatCameBefore() {
        var state = Self.state()
        state.receive(Self.head("/1"))
        state.receive(Self.end)
        state.receive(.failure(.bareLineFeed))
        #expect(!state.wantsInput)
        let next = state.takeNext()
        #expect(Self.path(next) == "/1")
        let after = state.responded(announcedClose: false)
        #expect(after == .nextRequest)
        let next2 = state.takeNext()
        #expect(Self.status(next2) == 400)
        let after2 = state.responded(announcedClose: true)
        #expect(after2 == .linger)
    }

    @Test func refusesMoreThanMayWait() {
        var state = Self.state { $0.pipelinedRequests = 2 }
        for number in 0..<3 {
            #expect(state.wantsInput)
            state.receive(Self.head("/\(number)"))
            state.receive(Self.end)
            if number == 0 {
                let next = state.takeNext()
                #expect(Self.path(next) == "/0")
            }
        }
        #expect(state.wantsInput)
        state.receive(Self.head("/3"))
        state.receive(Self.end)
        #expect(!state.wantsInput)
        for path in ["/1", "/2"] {
            _ = state.responded(announcedClose: false)
            let next2 = state.takeNext()
            #expect(Self.path(next2) == path)
        }
        _ = state.responded(announcedClose: false)
        let next3 = state.takeNext()
        #expect(Self.status(next3) == 503)
    }

    @Test func wantsNoMoreContentThanItHasRoomFor() {
        var state = Self.state { $0.pipelinedBodyBytes = 10 }
        state.receive(Self.head("/1"))
        state.receive(Self.end)
        _ = state.takeNext()
        state.receive(Self.head("/2", framing: .length(11)))
        state.receive(.body([UInt8](repeating: 0, count: 11)))
        #expect(!state.wantsInput)
        _ = state.responded(announcedClose: false)
        #expect(state.wantsInput)
        state.receive(Self.end)
        let next = state.takeNext()
        #expect(Self.path(next) == "/2")
        #expect(state.wantsInput)
    }

    @Test func asksForContentWhenItIsTheRequestsTurn() {
        var state = Self.state()
        state.receive(Self.head("/1"))
        state.receive(Self.end)
        _ = state.takeNext()
        state.receive(Self.head("/2", expectsContinue: true, framing: .length(1)))
        let isAsked = state.takeContinue()
        #expect(!isAsked)
        _ = state.responded(announcedClose: false)
        let isAsked2 = state.takeContinue()
        #expect(isAsked2)
        let isAsked3 = state.takeContinue()
        #expect(!isAsked3)
    }

    @Test func doesNotAskForContentThatIsThereOrNotWanted() {
        var there = Self.state()
        there.receive(Self.head(expectsContinue: true, framing: .length(2)))
        there.receive(.body([1]))
        let isAsked = there.takeContinue()
        #expect(!isAsked)
        var refused = Self.state()
        refused.receive(Self.head(expectsContinue: true, framing: .length(2)))
        refused.receive(.failure(.bodyTooLarge))
        let isAsked2 = refused.takeContinue()
        #expect(!isAsked2)
    }

    @Test func endsAsTheClientAsked() {
        var state = Self.state()
        state.receive(Self.head(keepAlive: false))
        state.receive(Self.end)
        #expect(!state.wantsInput)
        _ = state.takeNext()
        #expect(state.isLast(clientGoesOn: false))
        let after = state.responded(announcedClose: true)
        #expect(after == .linger)
        #expect(state.isOver(parserIsIdle: true))
    }

    @Test(arguments: [true, false])
    func answersAClientThatHasFinishedAndEnds(isDraining: Bool) {
        var state = Self.state()
        state.receive(Self.head())
        state.receive(Self.end)
        state.peerFinished()
        if isDraining { state.drain() }
        #expect(!state.isOver(parserIsIdle: true))
        _ = state.takeNext()
        #expect(!state.isOver(parserIsIdle: true))
        let after = state.responded(announcedClose: true)
        #expect(after == .close)
        #expect(state.isOver(parserIsIdle: true))
    }

    @Test func drainsWithTheLastOfWhatHasCome() {
        var state = Self.state()
        for path in ["/1", "/2"] {
            state.receive(Self.head(path))
            state.receive(Self.end)
        }
        state.drain()
        _ = state.takeNext()
        #expect(!state.isLast(clientGoesOn: true))
        _ = state.responded(announcedClose: false)
        _ = state.takeNext()
        #expect(state.isLast(clientGoesOn: true))
        let after = state.responded(announcedClose: true)
        #expect(after == .linger)
    }

    @Test func drainsAnIdleConnectionButNotOneThatIsSending() {
        var state = Self.state()
        state.drain()
        // It has carried no request yet: its first may be on its way.
        #expect(!state.isOver(parserIsIdle: true))
        state.receive(Self.head())
        state.receive(Self.end)
        _ = state.takeNext()
        _ = state.responded(announcedClose: false)
        #expect(state.isOver(parserIsIdle: true))
        #expect(!state.isOver(parserIsIdle: false))
        state.receive(Self.head(framing: .length(1)))
        #expect(!state.isOver(parserIsIdle: true))
    }
}
