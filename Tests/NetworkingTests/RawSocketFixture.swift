import Foundation
import HTTPMessages
import HTTPWire
import TestSupport

/// One row of `Fixtures/http/requests.jsonl`.
struct RawSocketFixture: Decodable, Sendable {
    let id: String
    let expect: String
    /// How many requests are complete.
    let count: Int?
    let error: String?
    /// Each character is the byte of its number.
    let data: String

    var bytes: [UInt8] { data.unicodeScalars.map { UInt8($0.value) } }
    var completeCount: Int { count ?? (expect == "accept" ? 1 : 0) }
    var status: Int? { WireError.allCases.first { "\($0)" == error }?.status.code }

    /// The methods of the complete requests: what is read of the responses depends on them.
    var methods: [HTTPRequest.Method] {
        var parser = RequestParser()
        bytes.withUnsafeBytes { parser.append($0) }
        var methods: [HTTPRequest.Method] = []
        while let event = parser.next() {
            if case .head(let head) = event { methods.append(head.request.method) }
        }
        return methods
    }

    static let all: [RawSocketFixture] = {
        do {
            return try String(contentsOf: Repository.fixture("http/requests.jsonl"), encoding: .utf8)
                .split(separator: "\n")
                .map { try JSONDecoder().decode(RawSocketFixture.self, from: Data($0.utf8)) }
        } catch {
            preconditionFailure("\(error)")
        }
    }()
}
