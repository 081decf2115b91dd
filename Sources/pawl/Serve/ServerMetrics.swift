import Networking
import Observability
import Primitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What `/metrics` says of the server and the process.
enum ServerMetrics {
    /// To be called once the server is there.
    static func register(_ server: HTTPServer, in registry: MetricsRegistry) {
        let count: (@escaping @Sendable (ServerStatistics) -> Int) -> @Sendable () -> Double = { part in
            { [weak server] in Double(server.map { part($0.statistics) } ?? 0) }
        }
        registry.gauge("pawl_http_connections_open", help: "Connections that are open.") { [weak server] in
            Double(server?.statistics.openConnections ?? 0)
        }
        registry.counter(
            "pawl_http_connections_accepted_total", help: "Connections that were taken in.",
            reading: count(\.acceptedConnections))
        registry.counter(
            "pawl_http_connections_refused_total", help: "Connections that were turned away.",
            reading: count(\.refusedConnections))
        registry.counter(
            "pawl_tls_handshakes_failed_total", help: "TLS handshakes that failed.", reading: count(\.failedHandshakes))
        registry.counter(
            "pawl_http_received_bytes_total", help: "Bytes received.", reading: count(\.bytesReceived))
        registry.counter("pawl_http_sent_bytes_total", help: "Bytes sent.", reading: count(\.bytesSent))
        for digit in 1...5 {
            registry.counter(
                "pawl_http_responses_total", help: "Responses by the class of their status.",
                labels: [MetricLabel("class", "\(digit)xx")], reading: count { $0.responsesByClass[digit - 1] })
        }
    }

    static func registerProcess(in registry: MetricsRegistry, started: Timestamp) {
        registry.gauge("pawl_info", help: "Which pawl this is.", labels: [MetricLabel("version", Version.current)]) {
            1
        }
        let start = Double(started.millisecondsSinceEpoch) / 1000
        registry.gauge("process_start_time_seconds", help: "When the process started, since 1970.") { start }
        registry.gauge("process_resident_memory_bytes", help: "Memory that the process has in RAM.") {
            Double(residentPages() * Int(sysconf(Int32(_SC_PAGESIZE))))
        }
        registry.counter("process_cpu_seconds_total", help: "Time that the processors have spent on the process.") {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }

    /// The second number in `/proc/self/statm` (proc(5)).
    private static func residentPages() -> Int {
        guard let bytes = try? FileSystem.read("/proc/self/statm", limit: 4096) else { return 0 }
        let numbers = bytes.split(separator: 0x20)
        return numbers.count > 1 ? Int(String(decoding: numbers[1], as: UTF8.self)) ?? 0 : 0
    }

    /// For the server's access hook.
    static func requestDurations(in registry: MetricsRegistry) -> Histogram {
        registry.histogram(
            "pawl_http_request_duration_seconds", help: "From the whole request to the whole response, in seconds.")
    }
}
