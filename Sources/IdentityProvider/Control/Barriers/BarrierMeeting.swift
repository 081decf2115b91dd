import HTTPMessages
import Primitives

/// What became of a request at a barrier.
package struct BarrierMeeting: Hashable, Sendable {
    package let barrier: Int
    package let outcome: Outcome

    /// Why it went on.
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// All had come, or somebody opened the barrier, and it was its turn.
        case released
        /// The time was over: it has met nobody, or others out of their order.
        case timedOut = "timed_out"
        /// The barrier was taken away, or the request ended.
        case left
        /// Too many requests waited already for it to wait too.
        case notHeld = "not_held"

        /// Whether those that were to meet have not.
        var isFailure: Bool { self == .timedOut || self == .notHeld }
    }

    /// Says in an answer that its request has met nobody: the number of the barrier, and why.
    static let fieldName = HTTPField.Name(validated: "Pawl-Barrier")

    var json: JSON { ["barrier": .number(JSONNumber(Int64(barrier))), "outcome": .string(outcome.rawValue)] }

    static let schema = Schema.object(
        [("barrier", .integer()), ("outcome", .string(oneOf: Outcome.allCases.map(\.rawValue)))],
        required: ["barrier", "outcome"])
}
