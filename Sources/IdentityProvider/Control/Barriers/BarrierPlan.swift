import HTTPMessages
import Primitives

/// Where requests are to meet, and in which order they are to go on.
package struct BarrierPlan: Sendable, Hashable {
    package var filter: PassageFilter
    /// Where they wait for each other.
    package var at: Checkpoint
    /// How many.
    package var count: Int
    package var order = Order.arrival
    /// The clients or labels in the order in which they are to go, one for each request; others come after them, as they
    /// arrived. Empty: by the bytes of their names.
    package var sequence: [String] = []
    /// What one has to pass, or its request to be over, before the next is let go.
    package var until: Checkpoint
    /// How long the first one waits at most, from its arrival to the end of all.
    package var timeout = Duration.seconds(10)

    package init(at checkpoint: Checkpoint, count: Int, for filter: PassageFilter = PassageFilter()) {
        self.filter = filter
        self.count = count
        at = checkpoint
        until = checkpoint.next
    }

    /// In which order requests are let go.
    package enum Order: String, Sendable, Hashable, CaseIterable {
        case arrival, reverse, client, label
    }

    /// The header field by which a request says what it is called.
    package static let labelName = HTTPField.Name(validated: "Pawl-Label")

    package static let maximumCount = 1000
    package static let longestTimeout = Duration.seconds(60)
}
