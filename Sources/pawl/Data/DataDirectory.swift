import Crypto
import IdentityProvider
import Observability
import Primitives
import StoreSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What outlasts a server: the database, the secret that its tokens follow from, and the keys. Only their owner may look
/// into it, and one server has it at a time.
///
/// The secret is no part of the database: whoever has a copy of that can make no token.
struct DataDirectory: Sendable {
    let path: String
    private let engine: SQLiteEngine
    private let master: Secret

    /// Where the keys are, unless they are elsewhere.
    var keys: String { path + "/keys" }
    /// Where those of tenants are.
    var tenants: String { path + "/tenants" }

    /// Opens it, and makes it if it is not there.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        // A file that may not grow is a write that fails, as on a full disk, and no reason to die.
        signal(SIGXFSZ, SIG_IGN)
        do throws(SQLiteStoreError) {
            let lock = try DirectoryLock(path)
            let database = path + "/" + SQLiteEngine.fileName
            master = try Self.secret(path + "/secret", beside: database)
            engine = try SQLiteEngine(lock)
        } catch {
            throw error.failure
        }
    }

    private static let secretByteCount = 32

    /// The secret of an earlier run. A new one is made where there is no database whose tokens it would kill.
    private static func secret(_ file: String, beside database: String) throws(SQLiteStoreError) -> Secret {
        do throws(FileError) {
            if try FileSystem.status(of: database) == nil {
                let secret = Secret(randomByteCount: secretByteCount, from: SystemRandom())
                let text = secret.withBytes { Base64URL.encode(Array($0)) } + "\n"
                try FileSystem.replace(file, with: Array(text.utf8), mode: 0o600)
                return secret
            }
            guard let status = try FileSystem.status(of: file) else {
                throw FileError("cannot read \(file), without which the tokens of \(database) are worthless", code: 2)
            }
            guard status.permissions & 0o077 == 0 else {
                throw FileError("cannot trust \(file), which is open to others", code: 13)
            }
            let text = String(decoding: try FileSystem.read(file, limit: 1024), as: UTF8.self)
            let line = String(text.prefix { $0 != "\n" })
            guard let bytes = try? Base64URL.decode(line), bytes.count == secretByteCount else {
                throw FileError("cannot read \(file), which is damaged", code: 22)
            }
            return Secret(bytes)
        } catch {
            throw .file(error.description)
        }
    }

    func store(of tenant: TenantName?) -> any ProviderStore { engine.store(of: tenant?.text ?? "") }

    /// Another for each tenant, so that what one has made is worth nothing to another.
    func secret(of tenant: TenantName?) -> Secret {
        guard let tenant else { return master }
        return Secret(HMAC(.sha256, key: master).authenticate(Array("tenant \(tenant.text)".utf8).span))
    }

    func register(in registry: MetricsRegistry) {
        registry.counter(
            "pawl_store_groups_total", help: "Groups of changes that went to the disk together, with one sync."
        ) { [statistics = engine.statistics] in Double(statistics.groups) }
        registry.counter("pawl_store_changes_total", help: "Changes that were written.") {
            [statistics = engine.statistics] in Double(statistics.changes)
        }
    }

    /// Waits for what is being written.
    func close() { engine.close() }
}

extension SQLiteStoreError {
    var failure: CommandFailure {
        switch self {
        case .damaged, .writtenByNewer, .foreign, .missing: .badInput(description, hint: hint)
        case .exists: .refused(description, hint: hint)
        default: .environment(description, hint: hint)
        }
    }
}
