import Observability
import Testing

@Suite struct MetricsTests {
    @Test func writesCountersWithTheirLabels() {
        let registry = MetricsRegistry()
        let basic = registry.counter("tokens_total", help: "Tokens.", labels: [MetricLabel("auth", "basic")])
        let post = registry.counter("tokens_total", help: "Tokens.", labels: [MetricLabel("auth", "post")])
        basic.increment()
        post.increment(by: 41)
        post.increment()
        #expect(
            registry.prometheusText() == """
                # HELP tokens_total Tokens.
                # TYPE tokens_total counter
                tokens_total{auth="basic"} 1
                tokens_total{auth="post"} 42

                """)
    }

    @Test func givesTheSameMetricForTheSameNameAndLabels() {
        let registry = MetricsRegistry()
        let one = registry.counter("a_total", help: "A.", labels: [MetricLabel("x", "1"), MetricLabel("y", "2")])
        let same = registry.counter("a_total", help: "A.", labels: [MetricLabel("y", "2"), MetricLabel("x", "1")])
        let other = registry.counter("a_total", help: "A.", labels: [MetricLabel("x", "2"), MetricLabel("y", "1")])
        #expect(one === same)
        #expect(one !== other)
    }

    /// Two spellings that Unicode takes for one are two series.
    @Test func tellsLabelsApartByteByByte() {
        let registry = MetricsRegistry()
        let one = registry.counter("a_total", help: "A.", labels: [MetricLabel("x", "\u{E9}")])
        let other = registry.counter("a_total", help: "A.", labels: [MetricLabel("x", "e\u{301}")])
        #expect(one !== other)
    }

    @Test func countsTogetherWhatIsTooMany() {
        let registry = MetricsRegistry()
        let first = registry.counter("a_total", help: "A.", labels: [MetricLabel("x", "0"), MetricLabel("y", "-")])
        for number in 1..<(3 * MetricsRegistry.maximumSeriesCount) {
            registry.counter("a_total", help: "A.", labels: [MetricLabel("x", "\(number)"), MetricLabel("y", "-")])
                .increment()
        }
        let lines = registry.prometheusText().split(separator: "\n").filter { $0.hasPrefix("a_total{") }
        #expect(lines.count == MetricsRegistry.maximumSeriesCount)
        // One of them is what all the others are counted as.
        let rest = 2 * MetricsRegistry.maximumSeriesCount + 1
        #expect(lines.last == #"a_total{x="other",y="other"} \#(rest)"#)
        // Those that were there are still told apart, and another name has room of its own.
        #expect(
            first === registry.counter("a_total", help: "A.", labels: [MetricLabel("y", "-"), MetricLabel("x", "0")]))
        registry.counter("b_total", help: "B.", labels: [MetricLabel("x", "1")]).increment()
        #expect(registry.prometheusText().contains(#"b_total{x="1"} 1"#))
    }

    @Test func escapesLabelValuesAndHelpTexts() {
        let registry = MetricsRegistry()
        registry.counter(
            "a_total", help: "Back\\slash, line\nfeed and \"quotes\".",
            labels: [MetricLabel("path", "C:\\\"x\"\nend")]
        ).increment()
        #expect(
            registry.prometheusText()
                == "# HELP a_total Back\\\\slash, line\\nfeed and \"quotes\".\n"
                + "# TYPE a_total counter\n"
                + "a_total{path=\"C:\\\\\\\"x\\\"\\nend\"} 1\n")
    }

    @Test func readsGaugesWhenAsked() {
        let registry = MetricsRegistry()
        let open = registry.gauge("open", help: "Open.")
        registry.gauge("ratio", help: "Ratio.") { 0.25 }
        registry.counter("seen_total", help: "Seen.") { 7 }
        open.set(5)
        open.add(-7)
        #expect(
            registry.prometheusText() == """
                # HELP open Open.
                # TYPE open gauge
                open -2
                # HELP ratio Ratio.
                # TYPE ratio gauge
                ratio 0.25
                # HELP seen_total Seen.
                # TYPE seen_total counter
                seen_total 7

                """)
    }

    @Test(arguments: [
        (Double.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (0, "0"), (-3, "-3"), (0.0001, "0.0001"),
        (1e21, "1e+21"), (2.5, "2.5"),
    ])
    func writesNumbersAsPrometheusReadsThem(number: Double, expected: String) {
        let registry = MetricsRegistry()
        registry.gauge("n", help: "N.") { number }
        #expect(registry.prometheusText().hasSuffix("\nn \(expected)\n"))
    }

    @Test func countsIntoCumulativeBuckets() {
        let registry = MetricsRegistry()
        let histogram = registry.histogram(
            "took_seconds", help: "Took.", labels: [MetricLabel("route", "token")], buckets: [0.5, 1, 2])
        for value in [0.25, 0.5, 0.75, 4] { histogram.observe(value) }
        #expect(
            registry.prometheusText() == """
                # HELP took_seconds Took.
                # TYPE took_seconds histogram
                took_seconds_bucket{route="token",le="0.5"} 2
                took_seconds_bucket{route="token",le="1"} 3
                took_seconds_bucket{route="token",le="2"} 3
                took_seconds_bucket{route="token",le="+Inf"} 4
                took_seconds_sum{route="token"} 5.5
                took_seconds_count{route="token"} 4

                """)
    }

    @Test func countsDurationsInSeconds() {
        let histogram = Histogram(buckets: [0.001, 1])
        histogram.observe(.microseconds(1000))
        histogram.observe(.milliseconds(250))
        #expect(histogram.cumulativeCounts == [1, 2, 2])
        #expect(histogram.sum == 0.251)
    }

    @Test func losesNothingUnderConcurrency() async {
        let counter = Counter()
        let histogram = Histogram(buckets: [1])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<10_000 {
                        counter.increment()
                        histogram.observe(0.5)
                    }
                }
            }
        }
        #expect(counter.value == 40_000)
        #expect(histogram.cumulativeCounts == [40_000, 40_000])
        #expect(histogram.sum == 20_000)
    }

    @Test func listsFamiliesByName() {
        let registry = MetricsRegistry()
        for name in ["c", "a", "b"] { _ = registry.gauge(name, help: "x") }
        let names = registry.prometheusText().split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
        #expect(names == ["# TYPE a gauge", "# TYPE b gauge", "# TYPE c gauge"])
    }

    @Test(arguments: ["", "1a", "a-b", "a b", "a\n", "é"])
    func refusesNamesThatPrometheusRefuses(name: String) async {
        #expect(!MetricsRegistry.isName(name))
    }
}
