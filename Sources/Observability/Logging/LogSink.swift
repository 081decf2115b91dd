/// Where finished log lines go.
package protocol LogSink: Sendable {
    /// Takes one whole line, its line feed included. Must not keep the caller waiting for a slow reader.
    func write(_ line: [UInt8])

    /// Returns when everything taken so far has been handed to the operating system, or when the time is over: a
    /// reader that has stopped reading must not keep a process from ending.
    func flush(within bound: Duration)
}

/// Forgets every line.
package struct SilentLogSink: LogSink {
    package init() {}
    package func write(_ line: [UInt8]) {}
    package func flush(within bound: Duration) {}
}
