import Foundation
import Primitives
import Testing

@Suite struct TimestampTests {
    @Test func roundsSecondsDownBeforeTheEpochToo() {
        #expect(Timestamp(millisecondsSinceEpoch: 1999).secondsSinceEpoch == 1)
        #expect(Timestamp(millisecondsSinceEpoch: 0).secondsSinceEpoch == 0)
        #expect(Timestamp(millisecondsSinceEpoch: -1).secondsSinceEpoch == -1)
        #expect(Timestamp(millisecondsSinceEpoch: -1000).secondsSinceEpoch == -1)
        #expect(Timestamp(millisecondsSinceEpoch: -1001).secondsSinceEpoch == -2)
    }

    @Test func addsAndSubtractsDurations() {
        let moment = Timestamp(secondsSinceEpoch: 100)
        #expect(moment + .milliseconds(1500) == Timestamp(millisecondsSinceEpoch: 101_500))
        #expect(moment - .seconds(101) == Timestamp(secondsSinceEpoch: -1))
        #expect((moment + .seconds(5)) - moment == .seconds(5))
        #expect(moment - (moment + .seconds(5)) == .seconds(-5))
        #expect(moment < moment + .milliseconds(1))
        #expect(!(moment < moment))
        #expect(Duration.microseconds(2999).inMilliseconds == 2)
        #expect(Duration.milliseconds(-2999).inSeconds == -2)
    }

    @Test func endsAtTheLastMomentThatCanBeCounted() {
        let last = Timestamp(millisecondsSinceEpoch: .max)
        let first = Timestamp(millisecondsSinceEpoch: .min)
        #expect(Timestamp(secondsSinceEpoch: .max) == last)
        #expect(Timestamp(secondsSinceEpoch: .min) == first)
        #expect(Timestamp(secondsSinceEpoch: .max / 1000).secondsSinceEpoch == .max / 1000)
        for duration in [Duration.milliseconds(1), .seconds(Int64.max), .milliseconds(Int64.max)] {
            #expect(last + duration == last)
            #expect(first - duration == first)
            #expect(last - (.zero - duration) == last)
            #expect(first + (.zero - duration) == first)
        }
        #expect(last - .milliseconds(1) < last)
        #expect(Timestamp(millisecondsSinceEpoch: 0) + .milliseconds(Int64.max) == last)
        #expect(last - first == .milliseconds(Int64.max) - .milliseconds(Int64.min))
        #expect(Duration.seconds(Int64.max).inMilliseconds == .max)
        #expect(Duration.seconds(Int64.min).inMilliseconds == .min)
    }

    @Test func writesTheFirstAndTheLastMomentToo() {
        #expect(Timestamp(millisecondsSinceEpoch: .max).description == "292278994-08-17T07:12:55.807Z")
        #expect(CivilTime(Timestamp(millisecondsSinceEpoch: .min)).millisecond == 192)
        #expect(Timestamp.endOfYear9999.description == "9999-12-31T23:59:59.999Z")
        #expect((Timestamp.endOfYear9999 + .milliseconds(1)).description == "10000-01-01T00:00:00.000Z")
        let beginning = Timestamp(secondsSinceEpoch: -62_167_219_200)
        #expect(beginning.description == "0000-01-01T00:00:00.000Z")
        #expect((beginning - .milliseconds(1)).description == "-0001-12-31T23:59:59.999Z")
        #expect(Timestamp(millisecondsSinceEpoch: .min).description == "-292275055-05-16T16:47:04.192Z")
    }

    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
        (1_709_164_800_000, "2024-02-29T00:00:00.000Z"), (1_677_628_800_000, "2023-03-01T00:00:00.000Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (4_107_456_000_000, "2100-02-28T00:00:00.000Z"),
        (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"), (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (1_735_689_599_000, "2024-12-31T23:59:59.000Z"),
    ])
    func writesDatesAroundLeapDays(_ milliseconds: Int64, _ text: String) {
        let moment = Timestamp(millisecondsSinceEpoch: milliseconds)
        #expect(moment.description == text)
        #expect(moment.rfc3339(withMilliseconds: false) == text.prefix(19) + "Z")
    }

    @Test(arguments: [
        (Int64(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"), (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (-62_167_219_201, "Fri, 31 Dec -0001 23:59:59 GMT"),
    ])
    func writesDatesOfHTTP(_ seconds: Int64, _ text: String) {
        #expect(Timestamp(secondsSinceEpoch: seconds).httpDate == text)
    }

    @Test func agreesWithFoundationOnEveryDayOfFourCenturies() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        // From 1800-01-01 in steps that are no whole number of days.
        for seconds in stride(from: Int64(-5_364_662_400), to: 7_258_118_400, by: 86_400 * 5 + 12_345) {
            let civil = CivilTime(Timestamp(secondsSinceEpoch: seconds))
            let date = Date(timeIntervalSince1970: TimeInterval(seconds))
            let theirs = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
            #expect(civil.year == theirs.year && civil.month == theirs.month && civil.day == theirs.day)
            #expect(civil.hour == theirs.hour && civil.minute == theirs.minute && civil.second == theirs.second)
            #expect(civil.weekday + 1 == theirs.weekday)
        }
    }

    @Test func knowsTheWeekdayAndTheMillisecondBeforeTheEpoch() {
        #expect(CivilTime(Timestamp(secondsSinceEpoch: 0)).weekday == 4)
        let eve = CivilTime(Timestamp(millisecondsSinceEpoch: -1))
        #expect(eve.weekday == 3)
        #expect(eve.millisecond == 999)
        #expect(CivilTime(Timestamp(secondsSinceEpoch: -86_400 * 5)).weekday == 6)
    }
}

@Suite struct ClockTests {
    @Test func aManualClockStandsStillUntilMoved() {
        let clock = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000))
        #expect(clock.now() == clock.now())
        clock.advance(by: .milliseconds(30_250))
        #expect(clock.now() == Timestamp(millisecondsSinceEpoch: 1_700_000_030_250))
        clock.advance(by: .seconds(-31))
        #expect(clock.now() == Timestamp(millisecondsSinceEpoch: 1_699_999_999_250))
        clock.set(to: Timestamp(secondsSinceEpoch: 5))
        #expect(clock.now() == Timestamp(secondsSinceEpoch: 5))
    }

    @Test func theSystemClockTellsTheTimeOfTheSystem() {
        let before = Int64(Date().timeIntervalSince1970 * 1000) - 1
        let now = SystemWallClock().now().millisecondsSinceEpoch
        let after = Int64(Date().timeIntervalSince1970 * 1000) + 1
        #expect(before <= now && now <= after)
    }
}
