import IdentityProvider
import Primitives

/// Something that has happened in the provider. No secret is in it.
///
///     for await event in idp.events(.familyEnded) {
///         print(event.client ?? "-", event["reason"]?.string ?? "-")
///         break
///     }
public struct TestEvent: Hashable, Sendable {
    /// Counts the events.
    public let number: Int
    /// When, by the clock of the provider.
    public let secondsSince1970: Double
    /// What sort of thing has happened.
    public let kind: Kind
    /// The client that it is about.
    public let client: String?
    private let particulars: [String: JSONValue]

    /// What sort of thing has happened.
    ///
    ///     let kind = TestEvent.Kind.familyEnded
    ///     print(kind.rawValue)                        // family.ended
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A request has its answer.
        case requestAnswered = "request.answered"
        /// A client was given tokens.
        case tokensIssued = "tokens.issued"
        /// An access token was revoked.
        case tokenRevoked = "token.revoked"
        /// A refresh token was presented, and judged.
        case refreshJudged = "refresh.judged"
        /// A session has begun: what a user has authorised one client to do.
        case familyBegun = "family.begun"
        /// It has ended.
        case familyEnded = "family.ended"
        /// A user has logged in.
        case loginBegun = "login.begun"
        /// He was logged out.
        case loginEnded = "login.ended"
        /// Somebody has moved the clock.
        case clockMoved = "clock.moved"
        /// A fault has come true.
        case faultFired = "fault.fired"
        /// All have come to a barrier.
        case barrierOpened = "barrier.opened"
        /// All have gone from it, in their order.
        case barrierDone = "barrier.done"
        /// Its time was over.
        case barrierTimedOut = "barrier.timed_out"
        /// Everything that has happened was forgotten.
        case stateReset = "state.reset"

        init(_ kind: ProviderEvent.Kind) {
            guard let own = Self(rawValue: kind.rawValue) else { preconditionFailure("\(kind) is a kind of event") }
            self = own
        }
    }

    init(_ event: ProviderEvent) {
        number = event.number
        secondsSince1970 = Double(event.time.millisecondsSinceEpoch) / 1000
        kind = Kind(event.kind)
        client = event.clientID
        particulars = [String: JSONValue](event.particulars)
    }

    /// What there is to say beside that.
    public subscript(name: String) -> JSONValue? { particulars[name] }
}

/// What has happened, as far as it is kept.
///
///     let page = idp.recordedEvents(.refreshJudged)
///     print(page.events.count, page.lastNumber, page.lostCount)      // 0 0 0
public struct RecordedEvents: Hashable, Sendable {
    /// The oldest first.
    public let events: [TestEvent]
    /// The number of the last event that was looked at, wanted or not: what to ask after the next time.
    public let lastNumber: Int
    /// How many have come after the number that was asked for, and are kept no more.
    public let lostCount: Int
}

extension TestIdentityProvider {
    /// What has happened after an event: of these kinds, or of all where none is named. The last 10,000 events are kept,
    /// from the first time on that somebody asks for events, here or by ``events(_:client:)``: a provider that nobody
    /// watches records nothing. A number that no event has had, such as one of another provider, counts as none.
    ///
    ///     let before = idp.recordedEvents().lastNumber
    ///     let tokens = try await idp.tokens(for: "alice", client: "web")
    ///     let since = idp.recordedEvents(.familyBegun, client: "web", after: before).events
    public func recordedEvents(
        _ kinds: TestEvent.Kind..., client: String? = nil, after number: Int = 0
    ) -> RecordedEvents {
        let log = context.checkpoints.events
        log.turnOn()
        let filter = EventFilter(kinds, client)
        var found: [TestEvent] = []
        var (cursor, lost) = ((0...log.lastNumber).contains(number) ? number : 0, 0)
        while true {
            let batch = log.events(after: cursor, where: filter)
            found += batch.events.map { TestEvent($0) }
            lost += batch.lost
            guard batch.cursor > cursor else {
                return RecordedEvents(events: found, lastNumber: batch.cursor, lostCount: lost)
            }
            cursor = batch.cursor
        }
    }

    /// What happens from now on: of these kinds, or of all where none is named. The stream ends with the provider, or with
    /// the task that reads it. There may be 100 streams at once, those over HTTP among them; one more has ended already.
    ///
    ///     let ended = idp.events(.familyEnded)
    ///     let ofWeb = idp.events(client: "web")
    public func events(_ kinds: TestEvent.Kind..., client: String? = nil) -> AsyncStream<TestEvent> {
        let log = context.checkpoints.events
        log.turnOn()
        let reader = EventReader(log: log, filter: EventFilter(kinds, client))
        return AsyncStream(unfolding: { await reader.next() })
    }
}

extension EventFilter {
    fileprivate init(_ kinds: [TestEvent.Kind], _ client: String?) {
        self.init()
        self.kinds = Set(kinds.compactMap { ProviderEvent.Kind(rawValue: $0.rawValue) })
        clientID = client
    }
}

/// Where somebody stands in the events. Read by one task at a time.
private actor EventReader {
    private let log: EventLog
    private let filter: EventFilter
    private var cursor: Int
    private var waiting: ArraySlice<ProviderEvent> = []
    private let hasPlace: Bool

    init(log: EventLog, filter: EventFilter) {
        self.log = log
        self.filter = filter
        cursor = log.lastNumber
        hasPlace = log.enter()
    }

    deinit { if hasPlace { log.leave() } }

    func next() async -> TestEvent? {
        guard hasPlace else { return nil }
        while waiting.isEmpty {
            let batch = await log.events(after: cursor, where: filter, until: log.deadline(after: .seconds(15)))
            cursor = batch.cursor
            waiting = batch.events[...]
            if waiting.isEmpty, batch.isOver || Task.isCancelled { return nil }
        }
        return waiting.popFirst().map { TestEvent($0) }
    }
}
