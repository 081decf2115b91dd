import Primitives

/// Writes structured records, one a line.
///
///     logger.warning("client refused", [LogField("client", id), LogField("reason", "unknown_client")])
///
/// The message is a `StaticString`: what varies goes into fields, where it is escaped. The fields are not even
/// evaluated when the level is left out.
package final class Logger: Sendable {
    package let level: LogLevel
    private let format: LogFormat
    private let sink: any LogSink
    private let clock: any WallClock
    private let isSilent: Bool

    package init(level: LogLevel, format: LogFormat, sink: any LogSink, clock: any WallClock) {
        self.level = level
        self.format = format
        self.sink = sink
        self.clock = clock
        isSilent = false
    }

    /// Writes to a file descriptor without ever waiting for it.
    package convenience init(
        level: LogLevel, format: LogFormat, descriptor: Int32,
        backlogBytes: Int = DescriptorLogSink.standardBacklogBytes, clock: any WallClock
    ) {
        let sink = DescriptorLogSink(descriptor: descriptor, backlogBytes: backlogBytes) { count in
            LogLine(
                format: format, time: clock.now(), level: .warning, message: "log records dropped",
                fields: [LogField("count", count)]
            ).bytes
        }
        self.init(level: level, format: format, sink: sink, clock: clock)
    }

    private init() {
        level = .error
        format = .json
        sink = SilentLogSink()
        clock = SystemWallClock()
        isSilent = true
    }

    /// Says nothing.
    package static let silent = Logger()

    /// Whether a record of this level would be written.
    package func isEnabled(_ level: LogLevel) -> Bool {
        level >= self.level && !isSilent
    }

    package func log(_ level: LogLevel, _ message: StaticString, _ fields: @autoclosure () -> [LogField] = []) {
        guard isEnabled(level) else { return }
        let line = LogLine(format: format, time: clock.now(), level: level, message: message, fields: fields())
        sink.write(line.bytes)
    }

    package func debug(_ message: StaticString, _ fields: @autoclosure () -> [LogField] = []) {
        log(.debug, message, fields())
    }

    package func info(_ message: StaticString, _ fields: @autoclosure () -> [LogField] = []) {
        log(.info, message, fields())
    }

    package func warning(_ message: StaticString, _ fields: @autoclosure () -> [LogField] = []) {
        log(.warning, message, fields())
    }

    package func error(_ message: StaticString, _ fields: @autoclosure () -> [LogField] = []) {
        log(.error, message, fields())
    }

    /// Returns when everything logged so far has been handed to the operating system, or when the time is over. For
    /// the end of the process.
    package func flush(within bound: Duration = .seconds(2)) {
        sink.flush(within: bound)
    }
}
