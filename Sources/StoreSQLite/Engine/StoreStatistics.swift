import Synchronization

/// How much an engine has written, since it was opened: for metrics.
package final class StoreStatistics: Sendable {
    private let writtenGroups = Atomic<Int>(0)
    private let writtenChanges = Atomic<Int>(0)

    private let foundDamaged = Atomic<Int>(0)

    init() {}

    /// Changes that went to the disk together, with one sync.
    package var groups: Int { writtenGroups.load(ordering: .relaxed) }
    /// Changes that were asked for.
    package var changes: Int { writtenChanges.load(ordering: .relaxed) }

    /// How often a record was found that is not as it was written.
    package var damagedRecords: Int { foundDamaged.load(ordering: .relaxed) }

    func note(damaged count: Int) { foundDamaged.add(count, ordering: .relaxed) }

    func note(_ count: Int) {
        writtenGroups.add(1, ordering: .relaxed)
        writtenChanges.add(count, ordering: .relaxed)
    }
}
