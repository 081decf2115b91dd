import Glibc

/// How often something could be done per second of processor time.
///
/// Processor time spent by the program itself and not the clock on the wall, as `openssl speed` counts: whoever else
/// uses the machine takes turns with us, but does not appear in the figure.
struct Measurement {
    let name: String
    let perSecond: Double

    /// Repeats `body` for about `seconds`, in batches that make looking at the clock cheap.
    ///
    /// - Parameter each: how many of them `body` does.
    static func rate(
        _ name: String, seconds: Double, each: Int = 1, _ body: () throws -> Void
    ) rethrows -> Measurement {
        try body()
        var batch = 1
        while true {
            let start = wallSeconds()
            for _ in 0..<batch { try body() }
            if wallSeconds() - start > 0.002 { break }
            batch *= 2
        }
        var count = 0
        let deadline = wallSeconds() + seconds
        let start = processorSeconds()
        while wallSeconds() < deadline {
            for _ in 0..<batch { try body() }
            count += batch * each
        }
        return Measurement(name: name, perSecond: Double(count) / (processorSeconds() - start))
    }

    /// The same for work that waits.
    static func rate(
        _ name: String, seconds: Double, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
    ) async rethrows -> Measurement {
        try await body()
        var count = 0
        let deadline = wallSeconds() + seconds
        let start = processorSeconds()
        while wallSeconds() < deadline {
            for _ in 0..<16 { try await body() }
            count += 16
        }
        return Measurement(name: name, perSecond: Double(count) / (processorSeconds() - start))
    }

    private static func wallSeconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
    }
}
