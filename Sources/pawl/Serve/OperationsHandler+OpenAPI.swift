import IdentityProvider
import OAuth

/// What the handler says of itself in the OpenAPI document of the provider that it stands before.
enum OperationsDescription {
    /// - Parameter hasMetrics: whether there is `/metrics`.
    static func describe(in document: inout OpenAPIDocument, hasMetrics: Bool) {
        // Beside the issuer, and not below its path.
        let server = document.issuer.origin
        let status = Schema.object([("status", .string())], required: ["status"])
        document.add(
            .get, "/health",
            OperationDescription("getHealth", tag: "Operation", "Whether the process answers.")
                .answering(200, "It does.", .json(status)), server: server)
        document.add(
            .get, "/ready",
            OperationDescription("getReadiness", tag: "Operation", "Whether new clients should come here.")
                .answering(200, "They should.", .json(status)).answering(503, "They should not.", .json(status)),
            server: server)
        guard hasMetrics else { return }
        document.add(
            .get, "/metrics",
            OperationDescription("getMetrics", tag: "Operation", "Counts and durations for Prometheus.")
                .answering(200, "In the text format of Prometheus.", .init([("text/plain", .string())]))
                .refusing((403, "They are for this machine.")), server: server)
    }
}
