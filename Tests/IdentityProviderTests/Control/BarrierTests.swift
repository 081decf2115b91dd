import IdentityProvider
import Primitives
import Testing

/// A barrier as a state machine.
@Suite struct BarrierTests {
    private func guest(_ number: Int, _ name: String? = nil) -> Barrier.Guest {
        Barrier.Guest(number: number, ticket: number * 10, requestID: "r-\(number)", clientID: name, label: name)
    }

    private func barrier(
        _ count: Int, _ order: BarrierPlan.Order = .arrival, _ sequence: [String] = []
    ) -> Barrier {
        var plan = BarrierPlan(at: .refreshReceived, count: count)
        plan.order = order
        plan.sequence = sequence
        return Barrier(id: 1, plan: plan)
    }

    /// Numbers in the order in which they are let go, when each passes at once.
    private func order(_ barrier: Barrier, _ names: [String?]) -> [Int] {
        var barrier = barrier
        var tickets: [Int] = []
        for (index, name) in names.enumerated() { tickets += barrier.arrive(guest(index + 1, name)) }
        while let last = barrier.released.last, barrier.phase == .releasing {
            tickets += barrier.passed(.refreshJudged, by: last.number)
        }
        return tickets.map { $0 / 10 }
    }

    @Test(
        arguments: [
            (.arrival, [], [1, 2, 3, 4]), (.reverse, [], [4, 3, 2, 1]), (.label, [], [3, 2, 1, 4]),
            (.client, ["c", "a"], [1, 3, 2, 4]), (.label, ["c", "a", "c", "b"], [1, 3, 4, 2]),
            (.label, ["a", "c"], [3, 1, 2, 4]), (.label, ["none"], [1, 2, 3, 4]),
        ] as [(BarrierPlan.Order, [String], [Int])])
    func letsGoInTheChosenOrder(_ order: BarrierPlan.Order, _ sequence: [String], _ expected: [Int]) {
        #expect(self.order(barrier(4, order, sequence), ["c", "b", "a", "c"]) == expected)
    }

    @Test func holdsUntilAllAreThere() {
        var barrier = barrier(3)
        #expect(barrier.arrive(guest(1)).isEmpty)
        #expect(barrier.arrive(guest(2)).isEmpty)
        #expect(barrier.arrive(guest(3)) == [10])
        #expect(barrier.phase == .releasing)
    }

    @Test func letsTheNextGoWhenTheOneBeforeHasPassedAndNotBefore() {
        var barrier = barrier(2)
        _ = barrier.arrive(guest(1))
        #expect(barrier.arrive(guest(2)) == [10])
        #expect(barrier.passed(.refreshCommitted, by: 1).isEmpty)
        #expect(barrier.passed(.refreshJudged, by: 2).isEmpty)
        #expect(barrier.passed(.refreshJudged, by: 3).isEmpty)
        #expect(barrier.passed(.refreshJudged, by: 1) == [20])
        #expect(barrier.passed(.refreshJudged, by: 1).isEmpty)
        #expect(barrier.passed(.refreshJudged, by: 2).isEmpty)
        #expect(barrier.phase == .done)
    }

    @Test func goesOnWhenARequestIsOverThatNeverPassed() {
        var barrier = barrier(2)
        _ = barrier.arrive(guest(1))
        _ = barrier.arrive(guest(2))
        #expect(barrier.passed(.responseSent, by: 1) == [20])
    }

    @Test func letsAllGoWhenTheTimeIsUp() {
        var gathering = barrier(3)
        _ = gathering.arrive(guest(1))
        _ = gathering.arrive(guest(2))
        #expect(gathering.timeIsUp() == [10, 20])
        #expect(gathering.phase == .timedOut)
        #expect(gathering.timeIsUp().isEmpty)

        var releasing = barrier(2)
        _ = releasing.arrive(guest(1))
        _ = releasing.arrive(guest(2))
        #expect(releasing.timeIsUp() == [20])
        #expect(releasing.phase == .timedOut)
    }

    @Test func holdsNobodyWhoComesLater() {
        var barrier = barrier(1)
        #expect(barrier.arrive(guest(1)) == [10])
        #expect(barrier.arrive(guest(2)) == [20])
        #expect(barrier.released.map(\.number) == [1])
    }

    @Test func opensForThoseThatAreThere() {
        var barrier = barrier(5, .reverse)
        _ = barrier.arrive(guest(1))
        _ = barrier.arrive(guest(2))
        #expect(barrier.open() == [20])
        #expect(barrier.passed(.refreshJudged, by: 2) == [10])
        #expect(barrier.open().isEmpty)
    }
}
