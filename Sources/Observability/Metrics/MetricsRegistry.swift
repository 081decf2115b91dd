import Synchronization

/// Every metric of the process, and their text for Prometheus.
///
/// Asking again with the same name and labels gives the same metric. One name has one kind and one help text, and at most
/// ``maximumSeriesCount`` series: names of clients and tenants are made up by others, and whoever makes up more of them is
/// counted with all the rest, under labels that say `other`.
///
///     let issued = registry.counter("pawl_tokens_issued_total", help: "Access tokens issued.")
///     issued.increment()
package final class MetricsRegistry: Sendable {
    enum Kind: String {
        case counter, gauge, histogram
    }

    enum Source {
        case counter(Counter)
        case gauge(Gauge)
        case histogram(Histogram)
        case reading(@Sendable () -> Double)
    }

    struct Family {
        let name: String
        let help: String
        let kind: Kind
        /// In the order in which they were asked for.
        private(set) var series: [(labels: [MetricLabel], source: Source)] = []
        private var positions: [Set<MetricLabel>: Int] = [:]

        init(name: String, help: String, kind: Kind) {
            self.name = name
            self.help = help
            self.kind = kind
        }

        /// Whatever the order of the labels.
        mutating func source(_ labels: [MetricLabel], make: () -> Source) -> Source {
            var labels = labels
            if let known = positions[Set(labels)] { return series[known].source }
            if series.count >= MetricsRegistry.maximumSeriesCount - 1 {
                labels = labels.map { MetricLabel($0.name, "other") }
                if let known = positions[Set(labels)] { return series[known].source }
            }
            let source = make()
            positions[Set(labels)] = series.count
            series.append((labels, source))
            return source
        }
    }

    /// Series of one name: each costs memory, and time whenever somebody reads them all.
    package static let maximumSeriesCount = 1024

    private let families = Mutex<[String: Family]>([:])

    package init() {}

    package func counter(_ name: String, help: String, labels: [MetricLabel] = []) -> Counter {
        let source = register(name, help: help, kind: .counter, labels: labels) { .counter(Counter()) }
        guard case .counter(let counter) = source else { preconditionFailure("\(name) is read by a closure") }
        return counter
    }

    /// A count that is kept elsewhere and read when somebody asks.
    package func counter(
        _ name: String, help: String, labels: [MetricLabel] = [], reading read: @escaping @Sendable () -> Double
    ) {
        _ = register(name, help: help, kind: .counter, labels: labels) { .reading(read) }
    }

    package func gauge(_ name: String, help: String, labels: [MetricLabel] = []) -> Gauge {
        let source = register(name, help: help, kind: .gauge, labels: labels) { .gauge(Gauge()) }
        guard case .gauge(let gauge) = source else { preconditionFailure("\(name) is read by a closure") }
        return gauge
    }

    /// A number that is read when somebody asks.
    package func gauge(
        _ name: String, help: String, labels: [MetricLabel] = [], reading read: @escaping @Sendable () -> Double
    ) {
        _ = register(name, help: help, kind: .gauge, labels: labels) { .reading(read) }
    }

    package func histogram(
        _ name: String, help: String, labels: [MetricLabel] = [], buckets: [Double] = Histogram.secondsBuckets
    ) -> Histogram {
        precondition(!labels.contains { $0.name == "le" }, "`le` names the bucket of a histogram")
        let source = register(name, help: help, kind: .histogram, labels: labels) {
            .histogram(Histogram(buckets: buckets))
        }
        guard case .histogram(let histogram) = source else { preconditionFailure("\(name) is no histogram") }
        precondition(histogram.upperBounds == buckets, "\(name) has other buckets already")
        return histogram
    }

    private func register(
        _ name: String, help: String, kind: Kind, labels: [MetricLabel], make: () -> Source
    ) -> Source {
        precondition(Self.isName(name), "a metric is named [a-zA-Z_:][a-zA-Z0-9_:]*")
        precondition(Set(labels.map(\.name)).count == labels.count, "a label is given once")
        return families.withLock { families in
            // In its place, and not copied: there may be many series.
            func find(_ family: inout Family) -> Source {
                precondition(family.kind == kind && family.help == help, "\(name) is known with another kind or help")
                return family.source(labels, make: make)
            }
            return find(&families[name, default: Family(name: name, help: help, kind: kind)])
        }
    }

    /// All metrics in the text exposition format 0.0.4, by name.
    package func prometheusText() -> String {
        // The closures run outside the lock: one of them may itself ask for a metric.
        let snapshot = families.withLock { $0.values.sorted { $0.name < $1.name } }
        var text = PrometheusText()
        for family in snapshot { text.append(family) }
        return text.text
    }

    /// Whether Prometheus takes the name for a metric.
    package static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: ":"): true
            default: false
            }
        }
    }
}
