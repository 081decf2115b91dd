import Primitives

/// A barrier as a state machine: requests come and pass, and it says whose ticket is released. It waits for nobody itself.
package struct Barrier: Sendable {
    package let id: Int
    package let plan: BarrierPlan
    package private(set) var phase = Phase.gathering
    /// Those that wait: as they came, and once all are there as they are to go.
    package private(set) var held: [Guest] = []
    /// Those that were let go, in their order.
    package private(set) var released: [Guest] = []
    /// How many of those, the last ones, were let go because the time was over.
    private var lateCount = 0

    package init(id: Int, plan: BarrierPlan) {
        self.id = id
        self.plan = plan
    }

    /// Where a barrier stands.
    package enum Phase: String, Sendable, CaseIterable {
        /// Not all have come.
        case gathering
        /// All have come, and go one after the other.
        case releasing
        /// All have gone, in their order.
        case done
        /// The time was over, and whoever was left was let go at once.
        case timedOut = "timed_out"

        package var isOver: Bool { self == .done || self == .timedOut }
    }

    /// A request that waits.
    package struct Guest: Sendable, Hashable {
        /// That of its passage.
        package let number: Int
        let ticket: Int
        package let requestID: String
        package let clientID: String?
        package let label: String?

        package init(number: Int, ticket: Int, requestID: String, clientID: String?, label: String?) {
            self.number = number
            self.ticket = ticket
            self.requestID = requestID
            self.clientID = clientID
            self.label = label
        }
    }

    /// What became of a request that does not wait any more; `nil`: it came when nobody was waited for.
    func outcome(for number: Int) -> BarrierMeeting.Outcome? {
        if held.contains(where: { $0.number == number }) { return .left }
        guard let place = released.firstIndex(where: { $0.number == number }) else { return nil }
        return place < released.count - lateCount ? .released : .timedOut
    }

    // MARK: What happens; each says which tickets are released

    /// Whether it takes requests still.
    package var isGathering: Bool { phase == .gathering }

    package mutating func arrive(_ guest: Guest) -> [Int] {
        guard isGathering else { return [guest.ticket] }
        held.append(guest)
        guard held.count == plan.count else { return [] }
        return open()
    }

    /// Lets those go that are there, in their order.
    package mutating func open() -> [Int] {
        guard isGathering else { return [] }
        phase = .releasing
        sort()
        return releaseNext()
    }

    /// A request has passed a checkpoint, or is over (`response.sent`).
    package mutating func passed(_ checkpoint: Checkpoint, by number: Int) -> [Int] {
        guard phase == .releasing, released.last?.number == number,
            checkpoint == plan.until || checkpoint == .responseSent
        else { return [] }
        return releaseNext()
    }

    /// Nobody waits for ever.
    package mutating func timeIsUp() -> [Int] {
        guard !phase.isOver else { return [] }
        phase = .timedOut
        let tickets = held.map(\.ticket)
        released += held
        lateCount = held.count
        held = []
        return tickets
    }

    private mutating func releaseNext() -> [Int] {
        guard !held.isEmpty else {
            phase = .done
            return []
        }
        let guest = held.removeFirst()
        released.append(guest)
        return [guest.ticket]
    }

    // MARK: The order

    private mutating func sort() {
        switch plan.order {
        case .arrival: break
        case .reverse: held.reverse()
        case .client: sort(by: \.clientID)
        case .label: sort(by: \.label)
        }
    }

    /// Each name of the sequence stands for one request: of two that are called alike the one that came first.
    private mutating func sort(by name: (Guest) -> String?) {
        guard !plan.sequence.isEmpty else { return sortByBytes(of: name) }
        var rest = held
        held = plan.sequence.compactMap { wanted in
            let place = rest.firstIndex { guest in name(guest).map { sameText($0, wanted) } == true }
            return place.map { rest.remove(at: $0) }
        }
        held += rest
    }

    private mutating func sortByBytes(of name: (Guest) -> String?) {
        let named = held.enumerated().map { (guest: $1, name: Array((name($1) ?? "").utf8), arrival: $0) }
        held = named.sorted { left, right in
            if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
            return left.arrival < right.arrival
        }.map(\.guest)
    }
}
