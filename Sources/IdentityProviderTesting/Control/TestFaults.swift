import IdentityProvider

/// What is to go wrong with requests.
///
///     try idp.faults.add(.drop, for: TestFilter(grantType: "refresh_token"))     // it is done, and its answer lost
public struct TestFaults: Sendable {
    let faults: Faults
    let endpoints: EndpointNames

    /// Has something go wrong: from the `nth` request on that fits, with `count` of them. It happens at the checkpoint, or
    /// where it usually would.
    ///
    ///     let fault = try idp.faults.add(.failingStore, at: .refreshReceived, nth: 2, count: 3)
    @discardableResult
    public func add(
        _ fault: TestFault, at checkpoint: TestCheckpoint? = nil, for filter: TestFilter = TestFilter(), nth: Int = 1,
        count: Int = 1
    ) throws(IdentityProviderTestingError) -> Int {
        guard nth > 0, count > 0, checkpoint != .responseSent else {
            throw IdentityProviderTestingError(
                .refused, "nth and count begin with 1, and after response.sent nothing goes wrong any more")
        }
        guard fault != .failingStore || checkpoint != .responseSending else {
            throw IdentityProviderTestingError(.refused, "once the answer is made, nothing is asked of the store")
        }
        var order = Fault(try fault.effect(), at: checkpoint?.checkpoint, for: try filter.filter(among: endpoints))
        order.first = nth
        order.count = count
        guard let id = faults.add(order) else {
            throw IdentityProviderTestingError(.refused, "there are \(Faults.maximumCount) faults that wait")
        }
        return id
    }

    /// How many requests have suffered a fault.
    ///
    ///     let lost = idp.faults.firedCount(of: fault)
    public func firedCount(of id: Int) -> Int { faults.entry(id)?.fired ?? 0 }

    /// How many requests a fault was for and that have passed its checkpoint, those before the `nth` included.
    ///
    ///     let seen = idp.faults.seenCount(of: fault)
    public func seenCount(of id: Int) -> Int { faults.entry(id)?.seen ?? 0 }

    /// Those that there are, also those that are spent.
    ///
    ///     let numbers = idp.faults.all
    public var all: [Int] { faults.entries.map(\.id) }

    /// Whether a fault has happened as often as it was to.
    ///
    ///     let isOver = idp.faults.isSpent(fault)
    public func isSpent(_ id: Int) -> Bool { faults.entry(id)?.isSpent ?? true }

    /// Takes one back; `false` when it is not there any more.
    ///
    ///     idp.faults.remove(fault)
    @discardableResult
    public func remove(_ id: Int) -> Bool { faults.remove(id) }

    /// Nothing goes wrong any more.
    ///
    ///     idp.faults.removeAll()
    public func removeAll() { faults.removeAll() }
}

extension TestIdentityProvider {
    /// What is to go wrong.
    ///
    ///     try idp.faults.add(.status(503), for: TestFilter(path: "/token"))
    public var faults: TestFaults {
        TestFaults(faults: context.checkpoints.faults, endpoints: tenant.endpointNames)
    }
}
