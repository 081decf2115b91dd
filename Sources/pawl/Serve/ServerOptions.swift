import HTTPWire
import Networking
import Observability
import Primitives

/// How much a server puts up with, how long it waits, and what it says.
enum ServerOptions {
    static let limitGroup = OptionGroup(title: "Limits")
    static let deadlineGroup = OptionGroup(title: "Deadlines")
    static let operationGroup = OptionGroup(title: "Operation")

    private static func limit(
        _ name: String, _ reader: ValueReader<Int>, _ standard: Int, _ variable: String, _ help: String
    ) -> Option<Int> {
        .value(name, reader, default: "\(standard)", in: limitGroup, environment: variable, help)
    }

    private static func deadline(
        _ name: String, _ standard: Duration, _ variable: String, _ help: String
    ) -> Option<Duration> {
        .value(
            name, .duration, default: DurationText.write(standard), in: deadlineGroup, environment: variable, help)
    }

    static let connections = limit(
        "max-connections", .count(in: 1...1_000_000), ServerConfiguration.ConnectionLimits.standard.connections,
        "PAWL_MAX_CONNECTIONS", "Connections that are open at once; 503 for more.")
    static let pipelined = limit(
        "max-pipelined", .count(in: 1...10_000), ServerConfiguration.ConnectionLimits.standard.pipelinedRequests,
        "PAWL_MAX_PIPELINED", "Requests that wait on one connection; 503 for more.")
    static let requestLine = limit(
        "max-request-line", .byteCount, HTTPLimits.forms.requestLineBytes, "PAWL_MAX_REQUEST_LINE",
        "Bytes of a request line; 414 for more.")
    static let headerBytes = limit(
        "max-header-bytes", .byteCount, HTTPLimits.forms.headerBytes, "PAWL_MAX_HEADER_BYTES",
        "Bytes of all header fields; 431 for more.")
    static let headerCount = limit(
        "max-headers", .count(in: 1...10_000), HTTPLimits.forms.headerCount, "PAWL_MAX_HEADERS",
        "Header fields; 431 for more.")
    static let body = limit(
        "max-body", .byteCount, HTTPLimits.forms.bodyBytes, "PAWL_MAX_BODY", "Bytes of a request's body; 413 for more.")

    static let head = deadline(
        "head-timeout", ServerConfiguration.Deadlines.standard.head, "PAWL_HEAD_TIMEOUT",
        "For the head of a request, from its first byte, and for a TLS handshake.")
    static let bodyTime = deadline(
        "body-timeout", ServerConfiguration.Deadlines.standard.body, "PAWL_BODY_TIMEOUT", "For the body of a request.")
    static let idle = deadline(
        "idle-timeout", ServerConfiguration.Deadlines.standard.idle, "PAWL_IDLE_TIMEOUT",
        "Between two requests on a connection.")
    static let write = deadline(
        "write-timeout", ServerConfiguration.Deadlines.standard.write, "PAWL_WRITE_TIMEOUT",
        "For a client to take what is sent to it.")
    static let notice = Option.value(
        "drain-notice", .durationOrZero, default: "0", in: deadlineGroup, environment: "PAWL_DRAIN_NOTICE",
        "After SIGTERM or SIGINT, serve on for so long while /ready answers 503, so that a load balancer turns elsewhere."
    )
    static let drain = deadline(
        "drain-timeout", .seconds(10), "PAWL_DRAIN_TIMEOUT",
        "For running requests to finish after SIGTERM or SIGINT; at a proxy, for its tokens to be given back, too.")

    static let loops = Option.optional(
        "loops", .count(in: 1...1024), in: operationGroup, environment: "PAWL_LOOPS", defaultNote: "one per core",
        "Event loops, each with a thread of its own.")
    static let logLevel =
        Option.value(
            "log-level", .oneOf("LEVEL"), default: LogLevel.info.rawValue, in: operationGroup,
            environment: "PAWL_LOG_LEVEL", "Leave out of the log what is less than this.") as Option<LogLevel>
    static let logFormat =
        Option.value(
            "log-format", .oneOf("FORMAT"), default: LogFormatChoice.auto.rawValue, in: operationGroup,
            environment: "PAWL_LOG_FORMAT",
            "How the log, on standard error, is written. auto: text on a terminal, else JSON.")
        as Option<LogFormatChoice>
    static let accessLog = Option.flag(
        "access-log", in: operationGroup, environment: "PAWL_ACCESS_LOG", "Log every request.")
    static let noMetrics = Option.flag(
        "no-metrics", in: operationGroup, environment: "PAWL_NO_METRICS", "Do not measure and do not serve /metrics.")
    static let metricsAudience =
        Option.value(
            "metrics-from", .oneOf("PEERS"), default: MetricsAudience.loopback.rawValue, in: operationGroup,
            environment: "PAWL_METRICS_FROM",
            "Whose connections get /metrics, which names the clients. loopback: those from this machine, through a Unix "
                + "socket or from a proxy here too.") as Option<MetricsAudience>

    static let rows = [
        connections.row, pipelined.row, requestLine.row, headerBytes.row, headerCount.row, body.row, head.row,
        bodyTime.row, idle.row, write.row, notice.row, drain.row, loops.row, logLevel.row, logFormat.row, accessLog.row,
        noMetrics.row, metricsAudience.row,
    ]

    enum LogFormatChoice: String, CaseIterable, Sendable {
        case auto, text, json
    }
}
