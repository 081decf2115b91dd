import Synchronization

/// Who listens at the checkpoints: one number, so that to know that there is nobody is one look.
final class Audience: Sendable {
    /// The lowest bits are the members. Above them the requests are counted that somebody listened to when they came and
    /// that are still on their way: what has been decided about them holds to their end, be it that nobody listens any more.
    private let state = Atomic<Int>(0)

    private static let members = 0xFF
    private static let passage = 0x100

    /// A sort of listener.
    enum Member: Int {
        case faults = 1
        case barriers = 2
        case events = 4
        case listener = 8
    }

    /// Whether nobody listens, and no request is on its way to which somebody has.
    var isEmpty: Bool { state.load(ordering: .acquiring) == 0 }

    /// Whether somebody listens to requests that come now.
    var isThere: Bool { state.load(ordering: .acquiring) & Self.members != 0 }

    func contains(_ member: Member) -> Bool { state.load(ordering: .acquiring) & member.rawValue != 0 }

    func set(_ member: Member, _ isThere: Bool) {
        if isThere {
            state.bitwiseOr(member.rawValue, ordering: .acquiringAndReleasing)
        } else {
            state.bitwiseAnd(~member.rawValue, ordering: .acquiringAndReleasing)
        }
    }

    func beginPassage() { state.wrappingAdd(Self.passage, ordering: .acquiringAndReleasing) }

    func endPassage() { state.wrappingSubtract(Self.passage, ordering: .acquiringAndReleasing) }
}
