import OAuth
import Primitives
import Synchronization

/// Stays go on over a restart, where the store is.
///
/// Whoever is taken as he comes is in stay 0 as long as nobody has been removed, in every run, and nothing is kept of him.
extension ProviderContext {
    /// Takes up the stays of an earlier run: before anybody is served. Those who were there then and are not now have gone:
    /// when they come back, it is to another stay.
    func restoreStays() async throws(StoreError) {
        let records = try await store.stays()
        keptStays.withLock { $0 = Dictionary(records.map { ($0.key, $0) }, uniquingKeysWith: { $1 }) }
        if let last = records.first(where: { $0.kind == .lastUser }) {
            users.resume(records.filter { $0.kind == .user }, after: last.number + Self.unknownStayCount)
        }
        if let last = records.first(where: { $0.kind == .lastClient }) {
            clients.resume(records.filter { $0.kind == .client }, after: last.number + Self.unknownStayCount)
        }
        try await keepStays()
    }

    /// A run that is killed may have given numbers of which nobody heard.
    private static let unknownStayCount = 1000

    /// Keeps what has changed since it was last kept: after users or clients have come or gone, and before anybody is told.
    package func keepStays() async throws(StoreError) {
        let (users, clients) = (users.stays, clients.stays)
        let records =
            users.numbers.map { StayRecord(.user, $0, $1) } + clients.numbers.map { StayRecord(.client, $0, $1) }
            + [StayRecord(.lastUser, "", users.last), StayRecord(.lastClient, "", clients.last)]
        let now = Dictionary(records.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        let (changed, gone) = keptStays.withLock { kept in
            let changed = records.filter { kept[$0.key] != $0 }
            let gone = kept.values.filter { now[$0.key] == nil }
            kept = now
            return (changed, gone)
        }
        guard !changed.isEmpty || !gone.isEmpty else { return }
        do throws(StoreError) {
            try await store.keep(changed, forgetting: gone)
        } catch {
            // The next time everything that this was about is kept again.
            keptStays.withLock { kept in
                for record in changed { kept[record.key] = nil }
                for record in gone { kept[record.key] = record }
            }
            throw error
        }
    }

    /// The same for the control API.
    func keepStaysOrFail() async throws(ControlError) {
        do throws(OAuthError) {
            try await storing { _ throws(StoreError) in try await keepStays() }
        } catch {
            throw ControlError(error)
        }
    }
}
