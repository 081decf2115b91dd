/// Writes the text exposition format of Prometheus, version 0.0.4.
package struct PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func append(_ family: MetricsRegistry.Family) {
        text += "# HELP \(family.name) \(Self.escapedHelp(family.help))\n"
        text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
        for (labels, source) in family.series {
            switch source {
            case .counter(let counter): appendSample(family.name, labels, "\(counter.value)")
            case .gauge(let gauge): appendSample(family.name, labels, "\(gauge.value)")
            case .reading(let read): appendSample(family.name, labels, Self.number(read()))
            case .histogram(let histogram): append(histogram, name: family.name, labels: labels)
            }
        }
    }

    private mutating func append(_ histogram: Histogram, name: String, labels: [MetricLabel]) {
        let counts = histogram.cumulativeCounts
        for (bound, count) in zip(histogram.upperBounds.map(Self.number) + ["+Inf"], counts) {
            appendSample(name + "_bucket", labels + [MetricLabel("le", bound)], "\(count)")
        }
        appendSample(name + "_sum", labels, Self.number(histogram.sum))
        appendSample(name + "_count", labels, "\(counts[counts.count - 1])")
    }

    private mutating func appendSample(_ name: String, _ labels: [MetricLabel], _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{"
            for (index, label) in labels.enumerated() {
                if index > 0 { text += "," }
                text += "\(label.name)=\"\(Self.escapedLabel(label.value))\""
            }
            text += "}"
        }
        text += " \(value)\n"
    }

    /// A float as Go's `ParseFloat` reads it, whole numbers without a point.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let whole = Int64(exactly: value), abs(value) < 1e15 { return "\(whole)" }
        return "\(value)"
    }

    /// A label value escapes the backslash, the double quote and the line feed.
    static func escapedLabel(_ value: String) -> String {
        escaped(value, quotes: true)
    }

    /// A help text escapes the backslash and the line feed.
    static func escapedHelp(_ help: String) -> String {
        escaped(help, quotes: false)
    }

    private static func escaped(_ value: String, quotes: Bool) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
