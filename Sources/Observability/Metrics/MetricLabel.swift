/// A name and a value that tell one series of a metric from another.
///
///     registry.counter("pawl_tokens_issued_total", help: "…", labels: [MetricLabel("grant", "client_credentials")])
package struct MetricLabel: Hashable, Sendable {
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
