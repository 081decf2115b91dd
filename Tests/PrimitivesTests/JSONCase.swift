import Foundation
import Primitives
import TestSupport
import Testing

/// A line of `Fixtures/json/cases.jsonl`.
struct JSONCase: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let accept: Bool
    let reason: String?
    let fault: JSONError.Kind?
    let offset: Int?

    var testDescription: String { name }

    static let all: [JSONCase] = {
        let lines = try! String(contentsOf: Repository.fixture("json/cases.jsonl"), encoding: .utf8)
        return lines.split(separator: "\n").map { JSONCase(try! JSON(parsing: String($0))) }
    }()

    private init(_ row: JSON) {
        name = row["name"]!.string!
        accept = row["accept"]!.bool!
        reason = row["reason"]?.string
        fault = row["fault"]?.string.map { JSONError.Kind(rawValue: $0)! }
        offset = row["offset"]?.int64.map { Int($0) }
        if let text = row["text"]?.string {
            bytes = Array(text.utf8)
        } else if let encoded = row["bytes"]?.string {
            bytes = try! Base64.decode(encoded)
        } else {
            let unit = Array(row["repeated"]!.string!.utf8)
            bytes = Array(repeatElement(unit, count: Int(row["times"]!.int64!)).joined())
        }
    }
}
