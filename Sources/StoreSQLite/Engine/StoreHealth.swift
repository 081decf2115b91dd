import Synchronization

/// Whether the database works, as far as the last attempt to change it tells; and tells when that changes.
final class StoreHealth: Sendable {
    private let isFailing = Atomic<Bool>(false)
    private let statistics: StoreStatistics
    private let tell: @Sendable (StoreNotice) -> Void

    init(_ statistics: StoreStatistics, _ tell: @escaping @Sendable (StoreNotice) -> Void) {
        self.statistics = statistics
        self.tell = tell
    }

    var isWorking: Bool { !isFailing.load(ordering: .acquiring) }

    /// Notes that records were found damaged.
    func note(damaged count: Int, in table: TableName, of tenant: String) {
        guard count > 0 else { return }
        statistics.note(damaged: count)
        tell(.damaged(count: count, table: table.rawValue, tenant: tenant))
    }

    func note(_ problem: SQLiteProblem?) {
        guard isWorking != (problem == nil) else { return }
        isFailing.store(problem != nil, ordering: .releasing)
        tell(problem.map { .failing(reason: $0.description) } ?? .working)
    }
}
