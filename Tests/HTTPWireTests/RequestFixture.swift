import Foundation
import TestSupport

/// One row of `Fixtures/http/requests.jsonl`.
struct RequestFixture: Decodable, CustomStringConvertible {
    /// `accept`: as many complete requests as `count` says, and no failure. `reject`: a failure, `error`. `wait`: no
    /// failure, and the last request is not complete.
    enum Expectation: String, Decodable { case accept, reject, wait }

    let id: String
    let expect: Expectation
    /// How many requests are complete, whatever comes after them.
    let count: Int?
    /// The case of `WireError`.
    let error: String?
    /// Each character is the byte of its number.
    let data: String

    var bytes: [UInt8] { data.unicodeScalars.map { UInt8($0.value) } }
    var description: String { id }

    static let all: [RequestFixture] = read("http/requests.jsonl")

    private static func read(_ path: String) -> [RequestFixture] {
        do {
            return try String(contentsOf: Repository.fixture(path), encoding: .utf8)
                .split(separator: "\n")
                .map { try JSONDecoder().decode(RequestFixture.self, from: Data($0.utf8)) }
        } catch {
            preconditionFailure("\(path): \(error)")
        }
    }
}
