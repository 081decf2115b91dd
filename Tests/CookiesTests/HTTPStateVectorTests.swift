import Cookies
import Foundation
import Primitives
import TestSupport
import Testing

/// The cases that the authors of RFC 6265 collected from browsers, as RFC 6265bis answers them.
@Suite(.enabled(if: Repository.sharedVectors != nil, "\(Repository.noSharedVectors)"))
struct HTTPStateVectorTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let now: Int64
        let steps: [Step]
        let get: Request
        let expectBis: String

        struct Step: Decodable, Sendable {
            let url: String
            let http: Bool
            let set: String
        }

        struct Request: Decodable, Sendable {
            let url: String
            let http: Bool
        }

        enum CodingKeys: String, CodingKey {
            case id, now, steps, get
            case expectBis = "expect_bis"
        }

        var testDescription: String { id }
    }

    struct Moment: Decodable, Sendable, CustomTestStringConvertible {
        let test: String
        let expected: String?

        var testDescription: String { test }
    }

    static let vectors: [Vector] = {
        guard let file = Repository.sharedVectors?.appending(path: "cookies/http-state.jsonl"),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Vector.self, from: Data($0.utf8))
        }
    }()

    static let dates: [Moment] = ["dates.json", "dates-bsd.json"].flatMap { name -> [Moment] in
        guard let file = Repository.sharedVectors?.appending(path: "cookies/\(name)"),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { return [] }
        // One of the files begins with its licence.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("//") }
        return (try? JSONDecoder().decode([Moment].self, from: Data(lines.joined(separator: "\n").utf8))) ?? []
    }

    @Test func allOfThemAreThere() {
        #expect(Self.vectors.count == 222)
        #expect(Self.dates.count == 70)
    }

    @Test(arguments: vectors)
    func sendsWhatTheStandardSends(_ vector: Vector) {
        let now = Timestamp(secondsSinceEpoch: vector.now)
        var jar = CookieJar()
        for step in vector.steps {
            _ = try? jar.receive(step.set, from: .request(step.url, by: step.http ? .http : .script), at: now)
        }
        let sent = jar.field(for: .request(vector.get.url, by: vector.get.http ? .http : .script), at: now)
        #expect(sent ?? "" == vector.expectBis)
    }

    @Test(arguments: dates)
    func readsDatesAsUserAgentsDo(_ date: Moment) {
        #expect(CookieDate.read(date.test[...])?.httpDate == date.expected)
    }
}
