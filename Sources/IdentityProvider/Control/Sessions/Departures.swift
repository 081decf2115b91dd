import Primitives
import Synchronization

/// Those who are not there any more, and of whom something is kept still, because the store failed.
final class Departures: Sendable {
    /// Who has gone: users by their subjects, and clients.
    struct Names: Sendable {
        var users: Set<ExactText> = []
        var clients: Set<ExactText> = []

        var isEmpty: Bool { users.isEmpty && clients.isEmpty }
    }

    private let unfinished = Mutex(Names())

    /// All that is to be done; whoever takes it does it, or adds it again.
    func take() -> Names {
        unfinished.withLock { unfinished in
            defer { unfinished = Names() }
            return unfinished
        }
    }

    func add(_ names: Names) {
        unfinished.withLock { unfinished in
            unfinished.users.formUnion(names.users)
            unfinished.clients.formUnion(names.clients)
        }
    }

    var isEmpty: Bool { unfinished.withLock(\.isEmpty) }

    func removeAll() { unfinished.withLock { $0 = Names() } }
}
