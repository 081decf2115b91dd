import Primitives

/// Something that is to go wrong with requests, at a checkpoint, from the n-th time on that one passes there.
package struct Fault: Sendable, Hashable {
    /// Whose requests.
    package var filter: PassageFilter
    package var at: Checkpoint
    package var effect: Effect
    /// The first request that suffers it: 1 for the very first.
    package var first = 1
    /// How many suffer it.
    package var count = 1

    package init(_ effect: Effect, at checkpoint: Checkpoint? = nil, for filter: PassageFilter = PassageFilter()) {
        self.effect = effect
        self.filter = filter
        at = checkpoint ?? effect.place
    }

    /// What goes wrong.
    package enum Effect: Sendable, Hashable {
        /// The request waits so long.
        case delay(Duration)
        /// The work is done, and the connection is closed without an answer.
        case drop
        /// The answer ends after so many bytes of its content; half of them when `nil`.
        case cut(contentBytes: Int?)
        /// The answer is sent twice.
        case repeating
        /// The work is done, and another status without content is the answer.
        case status(Int)
        /// From the checkpoint on the store refuses this request whatever it asks.
        case failingStore

        /// Its name in JSON.
        package var name: String {
            switch self {
            case .delay: "delay"
            case .drop: "drop"
            case .cut: "cut"
            case .repeating: "repeat"
            case .status: "status"
            case .failingStore: "store"
            }
        }

        static let names = ["delay", "drop", "cut", "repeat", "status", "store"]

        /// Where it is, unless somebody says otherwise.
        var place: Checkpoint { self == .failingStore ? .requestReceived : .responseSending }
    }

    /// Milliseconds are enough to lose a race; more than a minute is a server that is down.
    package static let longestDelay = Duration.seconds(60)
    /// Requests that are counted for one fault.
    package static let maximumOccurrence = 1_000_000
}
