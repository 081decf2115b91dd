import HTTPMessages
import Observability
import Synchronization

/// Answers those who run the server (`/health`, `/ready`, `/metrics`), and passes everything else on.
package final class OperationsHandler<Provider: RequestHandler>: RequestHandler {
    package let provider: Provider
    /// `nil`: there is no `/metrics`.
    private let metrics: MetricsRegistry?
    private let metricsAudience: MetricsAudience
    private let isWorking: @Sendable () async -> Bool
    private let isReady = Atomic<Bool>(false)

    /// - Parameter isWorking: whether what the provider stands on works, asked whenever somebody asks whether it is ready.
    package init(
        provider: Provider, metrics: MetricsRegistry?, for audience: MetricsAudience = .loopback,
        isWorking: @escaping @Sendable () async -> Bool = { true }
    ) {
        self.isWorking = isWorking
        self.provider = provider
        self.metrics = metrics
        metricsAudience = audience
    }

    /// Whether new clients should come here.
    package func setReady(_ ready: Bool) {
        isReady.store(ready, ordering: .releasing)
    }

    package func respond(to request: ServerRequest) async -> ServerResponse {
        guard let path = request.head.path, let operation = Operation(path: path) else {
            return await provider.respond(to: request)
        }
        guard request.head.method == .get || request.head.method == .head else {
            return OperationsResponse.methodNotAllowed
        }
        switch operation {
        case .health: return OperationsResponse.healthy
        case .ready:
            guard isReady.load(ordering: .acquiring), await isWorking() else { return OperationsResponse.notReady }
            return OperationsResponse.ready
        case .metrics:
            guard let metrics else { return await provider.respond(to: request) }
            guard metricsAudience.includes(request.peer) else { return OperationsResponse.metricsAreNotForPeer }
            return OperationsResponse.metrics(metrics.prometheusText())
        }
    }

    private enum Operation {
        case health, ready, metrics

        init?(path: String) {
            var path = path[...]
            if let query = path.utf8.firstIndex(of: UInt8(ascii: "?")) { path = path[..<query] }
            switch path {
            case "/health": self = .health
            case "/ready": self = .ready
            case "/metrics": self = .metrics
            default: return nil
            }
        }
    }
}

/// The responses, made once: health checks come often.
private enum OperationsResponse {
    static let healthy = json(.ok, #"{"status":"ok"}"#)
    static let ready = json(.ok, #"{"status":"ready"}"#)
    static let notReady = json(.serviceUnavailable, #"{"status":"not ready"}"#, also: [.retryAfter: "1"])
    static let methodNotAllowed = json(
        .methodNotAllowed, #"{"error":"method not allowed"}"#, also: [.allow: "GET, HEAD"])
    static let metricsAreNotForPeer = json(
        .forbidden,
        #"{"error":"metrics are given to this machine alone; pawl serve --metrics-from any gives them to everybody"}"#)

    static func metrics(_ text: String) -> ServerResponse {
        ServerResponse(
            status: .ok, headerFields: [.contentType: PrometheusText.contentType, .cacheControl: "no-store"],
            body: .bytes(Array(text.utf8)))
    }

    private static func json(
        _ status: HTTPResponse.Status, _ text: String, also more: HTTPFields = [:]
    ) -> ServerResponse {
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        return ServerResponse(
            status: status, headerFields: HTTPFields(Array(fields) + Array(more)), body: .bytes(Array(text.utf8)))
    }
}
