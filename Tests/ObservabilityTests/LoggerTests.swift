import Foundation
import Observability
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite struct LoggerTests {
    private func logger(_ level: LogLevel, _ sink: any LogSink) -> Logger {
        Logger(level: level, format: .json, sink: sink, clock: SystemWallClock())
    }

    @Test(arguments: LogLevel.allCases)
    func leavesOutWhatIsBelowItsLevel(level: LogLevel) {
        let sink = MemoryLogSink()
        let logger = logger(level, sink)
        for each in LogLevel.allCases { logger.log(each, "said") }
        #expect(sink.lines.count == LogLevel.allCases.filter { $0 >= level }.count)
        for each in LogLevel.allCases { #expect(logger.isEnabled(each) == (each >= level)) }
    }

    @Test func doesNotEvaluateTheFieldsOfALevelLeftOut() {
        let evaluations = Atomic<Int>(0)
        func field() -> LogField {
            evaluations.wrappingAdd(1, ordering: .relaxed)
            return LogField("a", 1)
        }
        logger(.error, MemoryLogSink()).info("not said", [field()])
        Logger.silent.error("not said", [field()])
        #expect(evaluations.load(ordering: .relaxed) == 0)
        logger(.info, MemoryLogSink()).info("said", [field()])
        #expect(evaluations.load(ordering: .relaxed) == 1)
    }

    @Test func theSilentLoggerIsEnabledForNothing() {
        for level in LogLevel.allCases { #expect(!Logger.silent.isEnabled(level)) }
    }

    @Test func levelsAreReadFromTheirNames() {
        #expect(LogLevel(rawValue: "warning") == .warning)
        #expect(LogLevel(rawValue: "verbose") == nil)
    }
}
