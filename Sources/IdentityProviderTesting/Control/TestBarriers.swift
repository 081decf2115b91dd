import IdentityProvider

/// Requests that wait for each other, and go on in a chosen order.
///
///     let barrier = try idp.barriers.add(at: .refreshReceived, count: 2, order: .clients(["web", "native"]))
public struct TestBarriers: Sendable {
    let barriers: Barriers
    let endpoints: EndpointNames

    /// In which order requests are let go.
    ///
    ///     let order = TestBarriers.Order.labels(["A", "B"])       // by the header field Pawl-Label
    public enum Order: Hashable, Sendable {
        /// As they came.
        case arrival
        /// The last one first.
        case reverse
        /// By the clients that they name; others come after them.
        case clients([String])
        /// By the header field `Pawl-Label`; others come after them.
        case labels([String])
    }

    /// Holds requests at a checkpoint until `count` are there, and lets them go one after the other: the next when the one
    /// before has passed `until`, or is over. When the time is over all are let go at once.
    ///
    ///     try idp.barriers.add(at: .responseSending, count: 2, order: .reverse, until: .responseSent)
    @discardableResult
    public func add(
        at checkpoint: TestCheckpoint, count: Int = 2, for filter: TestFilter = TestFilter(), order: Order = .arrival,
        until: TestCheckpoint? = nil, within bound: Duration = .seconds(10)
    ) throws(IdentityProviderTestingError) -> TestBarrier {
        var plan = BarrierPlan(at: checkpoint.checkpoint, count: count, for: try filter.filter(among: endpoints))
        if let until { plan.until = until.checkpoint }
        guard (1...BarrierPlan.maximumCount).contains(count), checkpoint != .responseSent,
            plan.at.comes(before: plan.until)
        else {
            throw IdentityProviderTestingError(
                .refused, "a barrier holds 1 to \(BarrierPlan.maximumCount) requests, until something that comes later")
        }
        guard bound > .zero, bound <= BarrierPlan.longestTimeout else {
            throw IdentityProviderTestingError(.refused, "a barrier holds for more than nothing, and a minute at most")
        }
        plan.timeout = bound
        switch order {
        case .arrival: plan.order = .arrival
        case .reverse: plan.order = .reverse
        case .clients(let names): (plan.order, plan.sequence) = (.client, names)
        case .labels(let names): (plan.order, plan.sequence) = (.label, names)
        }
        guard let id = barriers.add(plan) else {
            throw IdentityProviderTestingError(.refused, "there are \(Barriers.maximumCount) barriers that wait")
        }
        return TestBarrier(barriers: barriers, id: id)
    }

    /// Those that there are, also those that are over.
    ///
    ///     let waiting = idp.barriers.all.filter { !$0.isOver }
    public var all: [TestBarrier] { barriers.all.map { TestBarrier(barriers: barriers, id: $0.id) } }

    /// No barrier any more; whoever waits goes on.
    ///
    ///     idp.barriers.removeAll()
    public func removeAll() { barriers.removeAll() }
}

/// A place where requests wait for each other.
///
///     let barrier = try idp.barriers.add(at: .refreshReceived, count: 2)
///     print(barrier.heldCount)                    // 0
public struct TestBarrier: Sendable {
    let barriers: Barriers
    /// Counts the barriers.
    public let id: Int

    /// How many wait.
    public var heldCount: Int { barriers.barrier(id)?.held.count ?? 0 }
    /// Whether the time was over before all had come and gone.
    public var hasTimedOut: Bool { barriers.barrier(id)?.phase == .timedOut }
    /// Whether all have come and gone in their order.
    public var isDone: Bool { barriers.barrier(id)?.phase == .done }
    /// Whether it is done, has timed out, or is not there any more.
    public var isOver: Bool { barriers.barrier(id)?.phase.isOver ?? true }
    /// The labels of those that were let go, in their order.
    public var releasedLabels: [String?] { barriers.barrier(id)?.released.map(\.label) ?? [] }
    /// The clients of those that were let go, in their order.
    public var releasedClients: [String?] { barriers.barrier(id)?.released.map(\.clientID) ?? [] }

    /// Waits until so many have come.
    ///
    ///     try await barrier.arrivals(1)
    public func arrivals(_ count: Int, within bound: Duration = .seconds(10)) async throws(IdentityProviderTestingError)
    {
        let found = try? await barriers.first(id, within: bound) { $0.held.count + $0.released.count >= count }
        guard let found, found.held.count + found.released.count >= count else {
            throw IdentityProviderTestingError(
                .timedOut, "\(count) requests did not come to the barrier within \(bound)")
        }
    }

    /// Waits until all have come and gone in their order. It throws where they have not: the barrier has timed out, is gone, or
    /// is not over within the time.
    ///
    ///     try await barrier.end()
    public func end(within bound: Duration = .seconds(10)) async throws(IdentityProviderTestingError) {
        let found = try? await barriers.first(id, within: bound) { $0.phase.isOver }
        guard let found else {
            throw IdentityProviderTestingError(.refused, "the barrier was taken away, or too many wait for one")
        }
        switch found.phase {
        case .done: return
        case .timedOut:
            throw IdentityProviderTestingError(
                .timedOut, "the barrier has timed out before all had come; \(found.released.count) were let go")
        case .gathering, .releasing:
            throw IdentityProviderTestingError(
                .timedOut,
                "the barrier was not over within \(bound): \(found.held.count) wait, \(found.released.count) were let go"
            )
        }
    }

    /// Lets those go that are there.
    ///
    ///     barrier.open()
    public func open() { _ = barriers.open(id) }

    /// Takes the barrier away, and lets go at once whoever waits there.
    ///
    ///     barrier.remove()
    public func remove() { _ = barriers.remove(id) }
}

extension TestIdentityProvider {
    /// Where requests wait for each other.
    ///
    ///     try idp.barriers.add(at: .refreshReceived, count: 2)
    public var barriers: TestBarriers {
        TestBarriers(barriers: context.checkpoints.barriers, endpoints: tenant.endpointNames)
    }
}
