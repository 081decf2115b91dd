import Glibc
import IdentityProvider
import OAuth
import Primitives
import StoreSQLite
import Synchronization

extension StoreRows {
    /// Families that refreshes are measured with.
    private static let most = 20_000

    /// How many refreshes the engine commits in a second, judged as the provider judges them and each on the disk before it
    /// is answered, with nothing around it: no HTTP and no signature. It is to be held against
    /// ``commits(_:seconds:inPlace:)`` with groups of the size that came about here, which is the second row.
    static func rotations(_ order: Order, seconds: Double) async throws -> [Measurement] {
        let engine = try SQLiteEngine(DirectoryLock(order.directory), seal: RecordSeal(secret: secret))
        defer { engine.close() }
        let store = engine.store()
        // They come in the order in which they lie on the disk, and nobody asks for neighbours. Of more, the first would be
        // neighbours still.
        let families = try await store.families(where: { _ in true }, limit: most + 1).map(\.id).shuffled()
        guard 1...most ~= families.count else {
            throw Failure(text: "\(order.directory) has no families, or more than \(most)")
        }
        guard let policy = RotationPolicy.named("strict") else { throw Failure(text: "there is no policy strict") }
        let (changes, groups) = (engine.statistics.changes, engine.statistics.groups)
        let start = now()
        let turns = Turns(store: store, families: families, policy: policy, end: start + seconds)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<order.clients { tasks.addTask { try await turns.refreshOneAfterAnother() } }
            try await tasks.waitForAll()
        }
        let elapsed = now() - start
        let made = engine.statistics.changes - changes
        return [
            Measurement(name: "sqlite-rotations", perSecond: Double(made) / elapsed),
            Measurement(
                name: "sqlite-rotations-group",
                perSecond: Double(made) / Double(max(1, engine.statistics.groups - groups))),
        ]
    }
}

/// Families that are refreshed in turn, by whoever comes next.
private final class Turns: Sendable {
    private let store: SQLiteStore
    private let families: [FamilyID]
    private let policy: RotationPolicy
    private let end: Double
    private let next = Atomic<Int>(0)

    init(store: SQLiteStore, families: [FamilyID], policy: RotationPolicy, end: Double) {
        self.store = store
        self.families = families
        self.policy = policy
        self.end = end
    }

    func refreshOneAfterAnother() async throws {
        while StoreRows.now() < end {
            let index = next.add(1, ordering: .relaxed).oldValue % families.count
            let moment = SystemWallClock().now()
            let isAccepted = try await store.refresh(families[index]) { [policy] family, _ in
                let node = family.rotation.current
                return RefreshOutcome(policy.judge(&family, presenting: node, at: moment).isAccepted)
            }
            guard isAccepted == true else { throw StoreRows.Failure(text: "a refresh was refused") }
        }
    }
}
