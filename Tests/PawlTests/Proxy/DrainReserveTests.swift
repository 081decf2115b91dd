import Testing
import pawl

/// Requests and what comes after them keep to one bound together.
@Suite struct DrainReserveTests {
    @Test(
        arguments: [DrainReserve.nothing, .quarter], [Duration.zero, .milliseconds(1), .seconds(10), .seconds(3600)])
    func bothTogetherKeepToTheBound(_ reserve: DrainReserve, bound: Duration) {
        let requests = reserve.forRequests(of: bound)
        #expect(requests >= .zero && requests + reserve.rest(of: bound, after: requests) == bound)
    }

    @Test func requestsThatNeverEndLeaveSomething() {
        let requests = DrainReserve.quarter.forRequests(of: .seconds(10))
        #expect(DrainReserve.quarter.rest(of: .seconds(10), after: requests) == .milliseconds(2500))
        #expect(DrainReserve.nothing.forRequests(of: .seconds(10)) == .seconds(10))
    }

    @Test func whatTookTooLongLeavesNothing() {
        #expect(DrainReserve.quarter.rest(of: .seconds(10), after: .seconds(11)) == .zero)
    }

    @Test func requestsThatEndSoonLeaveTheRest() {
        #expect(DrainReserve.quarter.rest(of: .seconds(10), after: .seconds(1)) == .seconds(9))
    }
}
