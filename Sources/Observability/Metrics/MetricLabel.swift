import Primitives

/// A name and a value that tell one series of a metric from another.
///
///     registry.counter("pawl_tokens_issued_total", help: "…", labels: [MetricLabel("grant", "client_credentials")])
package struct MetricLabel: Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        precondition(Self.isName(name), "a label is named [a-zA-Z_][a-zA-Z0-9_]*, without two leading underscores")
        self.name = name
        self.value = value
    }

    private static func isName(_ name: String) -> Bool {
        MetricsRegistry.isName(name) && !name.utf8.contains(UInt8(ascii: ":")) && !name.hasPrefix("__")
    }
}

extension MetricLabel: Hashable {
    // Prometheus tells series apart byte by byte.
    package static func == (left: MetricLabel, right: MetricLabel) -> Bool {
        sameText(left.name, right.name) && sameText(left.value, right.value)
    }

    package func hash(into hasher: inout Hasher) {
        ExactText(name).hash(into: &hasher)
        ExactText(value).hash(into: &hasher)
    }
}
