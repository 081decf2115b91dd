import IdentityProvider
import Primitives

/// What one provider remembers, on the disk: whatever it acknowledges is there after the process was killed and after the
/// power has failed.
///
/// The verbs that change something are done by one writer, many in one transaction; see ``SQLiteEngine``.
package final class SQLiteStore: ProviderStore {
    let engine: SQLiteEngine
    let tenant: String
    let tables: StoreTables

    init(engine: SQLiteEngine, tenant: String, limits: StoreLimits) {
        self.engine = engine
        self.tenant = tenant
        tables = StoreTables(of: tenant, limits: limits, engine.seal, engine.heads, engine.health)
    }

    package func removeAll() async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in try transaction.removeAll(of: tenant) }
    }
}
