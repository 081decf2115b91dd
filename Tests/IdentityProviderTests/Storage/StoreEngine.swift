import IdentityProvider
import StoreSQLite
import TestSupport

/// The engines that there are. Each must pass the same tests.
enum StoreEngine: CaseIterable, Sendable {
    case memory, sqlite
    /// One in which hardly anything that changes waits to be put in its place.
    case sqliteWithShortJournal
}

/// A fresh and empty store of an engine, and what it stands on.
final class StoreUnderTest: Sendable {
    let store: any ProviderStore
    private let directory: TemporaryDirectory?
    private let engine: SQLiteEngine?

    /// - Parameter limit: of each kind of entry.
    init(_ engine: StoreEngine, limit: Int? = nil) throws {
        switch engine {
        case .memory:
            store = MemoryStore(limits: Self.limits(.inMemory, limit))
            directory = nil
            self.engine = nil
        case .sqlite, .sqliteWithShortJournal:
            let directory = try TemporaryDirectory()
            let opened = try SQLiteEngine(
                DirectoryLock(directory.path("data")), limits: Self.limits(.onDisk, limit),
                journalBytes: engine == .sqlite ? FoldingHand.usualBytesPerRound : 0)
            store = opened.store()
            self.directory = directory
            self.engine = opened
        }
    }

    private static func limits(_ ordinary: StoreLimits, _ limit: Int?) -> StoreLimits {
        guard let limit else { return ordinary }
        var limits = ordinary
        limits.shortLived = limit
        limits.requests = limit
        limits.families = limit
        limits.logins = limit
        limits.accessTokens = limit
        limits.revokedAccessTokens = limit
        limits.consents = limit
        return limits
    }

    /// At the end of each test, so that threads and files go with it.
    func end() { engine?.close() }
}
