import Observability
import Synchronization

/// Keeps every line, for tests that look at what was logged.
package final class MemoryLogSink: LogSink {
    private let kept = Mutex<[String]>([])

    package init() {}

    package func write(_ line: [UInt8]) {
        kept.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }

    package func flush(within bound: Duration) {}

    /// The lines so far, each with its line feed.
    package var lines: [String] { kept.withLock { $0 } }
}
