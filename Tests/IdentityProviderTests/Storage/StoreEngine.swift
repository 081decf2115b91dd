import IdentityProvider
import StoreSQLite
import TestSupport

/// The engines that there are. Each must pass the same tests.
enum StoreEngine: CaseIterable, Sendable {
    case memory, sqlite
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
            var limits = MemoryStore.Limits()
            if let limit {
                limits.shortLived = limit
                limits.requests = limit
                limits.families = limit
                limits.logins = limit
                limits.accessTokens = limit
                limits.revokedAccessTokens = limit
                limits.consents = limit
            }
            store = MemoryStore(limits: limits)
            directory = nil
            self.engine = nil
        case .sqlite:
            var limits = SQLiteLimits()
            if let limit {
                limits.shortLived = limit
                limits.requests = limit
                limits.families = limit
                limits.logins = limit
                limits.accessTokens = limit
                limits.revokedAccessTokens = limit
                limits.consents = limit
            }
            let directory = try TemporaryDirectory()
            let opened = try SQLiteEngine(DirectoryLock(directory.path("data")), limits: limits)
            store = opened.store()
            self.directory = directory
            self.engine = opened
        }
    }

    /// At the end of each test, so that threads and files go with it.
    func end() { engine?.close() }
}
