import Foundation
import TestSupport
import Testing

/// Holds `/metrics` to what `promtool check metrics` asks for.
@Suite struct MetricsEndpointTests {
    private struct Sample {
        let name: String
        let labels: String
        let value: Double
    }

    private func samples(in text: String) throws -> [Sample] {
        let pattern =
            /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? ([^ ]+)/
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let match = try #require(try pattern.wholeMatch(in: line), "\(line)")
            let value = try #require(Double(match.3 == "+Inf" ? "inf" : String(match.3)), "\(line)")
            return Sample(name: String(match.1), labels: match.2.map(String.init) ?? "", value: value)
        }
    }

    @Test func isTextThatPrometheusReads() async throws {
        let server = try await Server()
        _ = try await server.token()
        _ = try await server.curl("/token", ["-d", "x=y"])
        let head = try await server.curl("/metrics", ["--head"]).body
        #expect(head.lowercased().contains("content-type: text/plain; version=0.0.4; charset=utf-8"))
        let text = try await server.curl("/metrics").body
        #expect(text.hasSuffix("\n") || text.split(separator: "\n").last?.hasPrefix("#") == false)

        var types: [String: String] = [:]
        var helps: Set<String> = []
        for line in text.split(separator: "\n") where line.hasPrefix("#") {
            let words = line.split(separator: " ", maxSplits: 3)
            #expect(words.count == 4, "\(line)")
            if words[1] == "TYPE" {
                #expect(types.updateValue(String(words[3]), forKey: String(words[2])) == nil, "\(line) comes twice")
            } else {
                #expect(words[1] == "HELP")
                #expect(helps.insert(String(words[2])).inserted, "\(line) comes twice")
            }
        }
        #expect(Set(types.keys) == helps)

        let samples = try samples(in: text)
        #expect(Set(samples.map { $0.name + "{" + $0.labels }).count == samples.count)
        for sample in samples {
            let family =
                ["_bucket", "_sum", "_count"].lazy.compactMap { suffix in
                    sample.name.hasSuffix(suffix) ? String(sample.name.dropLast(suffix.count)) : nil
                }.first { types[$0] == "histogram" } ?? sample.name
            let type = try #require(types[family], "\(sample.name) has no type")
            #expect((type == "counter") == family.hasSuffix("_total"), "\(family) is a \(type)")
            if type == "counter" { #expect(sample.value >= 0) }
        }
        let issued = samples.first { $0.name == "pawl_access_tokens_issued_total" }
        #expect(issued?.value == 1)
        let responses = samples.filter { $0.name == "pawl_http_responses_total" }
        #expect(responses.first { $0.labels.contains("4xx") }?.value == 1)
        let buckets = samples.filter { $0.name == "pawl_http_request_duration_seconds_bucket" }
        #expect(zip(buckets, buckets.dropFirst()).allSatisfy { $0.value <= $1.value })
        #expect(buckets.last?.labels == #"le="+Inf""#)
        #expect(buckets.last?.value == samples.first { $0.name == "pawl_http_request_duration_seconds_count" }?.value)
        #expect(await server.stop() == 0)
    }
}
