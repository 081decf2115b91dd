import IdentityProvider
import JOSE
import Primitives
import Synchronization

/// The keys of tenants, each in a directory of its own below one.
final class TenantKeys: Sendable {
    private let directory: String
    /// The rings that are in use, by the names of their tenants.
    private let rings = Mutex<[String: KeyRing]>([:])

    /// Tenants whose keys are kept. Anybody can make one up, and the disk has an end.
    static let maximumCount = 10_000

    init(_ directory: String) {
        self.directory = directory
    }

    private func keyStore(of tenant: String) -> KeyStore { KeyStore(directory: directory + "/" + tenant) }

    /// The ring of a tenant, with the keys of an earlier run and a new one for each algorithm that these cannot sign with.
    func ring(
        of tenant: TenantName, for algorithms: Set<SignatureAlgorithm>, by policy: KeyRingPolicy, at now: Timestamp
    ) throws(KeyStoreError) -> KeyRing {
        let store = keyStore(of: tenant.text)
        try makeRoom(for: store)
        let ring = try store.update { state throws(KeyStoreError) in
            let ring = try ServerKeys.makeRing(restoring: state, algorithms, policy, at: now)
            // What the tenant may do with the keys is kept before it does it.
            state = ring.state(at: now)
            return ring
        }
        rings.withLock { $0[tenant.text] = ring }
        return ring
    }

    private func makeRoom(for store: KeyStore) throws(KeyStoreError) {
        do throws(FileError) {
            if try FileSystem.status(of: store.directory) != nil { return }
            guard try FileSystem.count(in: directory, upTo: Self.maximumCount) < Self.maximumCount else {
                throw FileError(
                    "cannot keep the keys of more than \(Self.maximumCount) tenants in \(directory)", code: 28)
            }
        } catch {
            throw .file(error)
        }
    }

    /// Where the keys of a ring are kept; `nil`: it is no tenant's, or of one that is no more.
    func store(of ring: KeyRing) -> KeyStore? {
        let name = rings.withLock { rings in rings.first { $0.value === ring }?.key }
        return name.map(keyStore)
    }

    func forget(_ tenant: TenantName) throws(KeyStoreError) {
        let ring = rings.withLock { $0.removeValue(forKey: tenant.text) }
        let store = keyStore(of: tenant.text)
        do throws(FileError) {
            guard try FileSystem.status(of: store.file) != nil else { return }
        } catch {
            throw .file(error)
        }
        do throws(KeyStoreError) {
            try store.update { state throws(KeyStoreError) in state = KeyRing.State() }
            // Or there would be no room for others some day.
            store.removeDirectory()
        } catch {
            // It is there as before, and its keys are still kept.
            if let ring { rings.withLock { $0[tenant.text] = ring } }
            throw error
        }
    }
}
