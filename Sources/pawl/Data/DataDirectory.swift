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
    init(_ path: String, logger: Logger) throws(CommandFailure) {
        self.path = path
        // A file that may not grow is a write that fails, as on a full disk, and no reason to die.
        signal(SIGXFSZ, SIG_IGN)
        do throws(SQLiteStoreError) {
            let lock = try DirectoryLock(path)
            let database = path + "/" + SQLiteEngine.fileName
            master = try Self.secret(path + "/secret", beside: database)
            engine = try SQLiteEngine(lock, seal: RecordSeal(secret: master)) { $0.log(to: logger) }
        } catch {
            throw error.failure
        }
    }

    private static let secretByteCount = 32

    /// The secret of an earlier run. One that is there is never replaced: whoever puts the database back that belongs to it
    /// finds its tokens good. A new one is made where there is neither it nor a database whose tokens it would kill.
    private static func secret(_ file: String, beside database: String) throws(SQLiteStoreError) -> Secret {
        let isNew = try SQLiteEngine.isMissing(database)
        do throws(FileError) {
            guard let status = try FileSystem.status(of: file) else {
                guard isNew else {
                    throw FileError(
                        "cannot read \(file), without which the tokens of \(database) are worthless: put its copy back, or "
                            + "begin anew with another --data", code: ENOENT)
                }
                return try makeSecret(file)
            }
            guard status.owner == geteuid() else {
                throw FileError("cannot trust \(file), which belongs to another user", code: EACCES)
            }
            guard status.permissions & 0o077 == 0 else {
                throw FileError(
                    "cannot trust \(file), which is open to others: chmod 600 \(file), if nobody else has read it",
                    code: EACCES)
            }
            let text = String(decoding: try FileSystem.read(file, limit: 1024), as: UTF8.self)
            let line = String(text.prefix { $0 != "\n" })
            guard let bytes = try? Base64URL.decode(line), bytes.count == secretByteCount else {
                throw FileError("cannot read \(file), which is damaged: put its copy back", code: EINVAL)
            }
            return Secret(bytes)
        } catch {
            throw .file(error.description)
        }
    }

    private static func makeSecret(_ file: String) throws(FileError) -> Secret {
        let secret = Secret(randomByteCount: secretByteCount, from: SystemRandom())
        let text = secret.withBytes { Base64URL.encode(Array($0)) } + "\n"
        // Not whole under its name, it would be a secret that is damaged.
        try FileSystem.replace(file, with: Array(text.utf8), mode: 0o600)
        return secret
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
        registry.counter(
            "pawl_store_damaged_records_total", help: "Times that a record was found that is not as it was written."
        ) { [statistics = engine.statistics] in Double(statistics.damagedRecords) }
    }

    /// Whether what happens can be kept.
    func isWorking() async -> Bool { await engine.isWorking() }

    /// Waits for what is being written.
    func close() { engine.close() }
}

extension StoreNotice {
    func log(to logger: Logger) {
        switch self {
        case .updating(let former, let new):
            logger.info(
                "the database is brought up to date", [LogField("from_version", former), LogField("to_version", new)])
        case .failing(let reason): logger.error("the database does not work", [LogField("reason", reason)])
        case .working: logger.info("the database works again")
        case .damaged(let count, let table, let tenant):
            logger.error(
                "records of the database are damaged and are not believed",
                [LogField("count", count), LogField("table", table), LogField("tenant", tenant)])
        }
    }
}

extension SQLiteStoreError {
    var failure: CommandFailure {
        switch self {
        case .damaged, .ofAnotherSecret, .writtenByNewer, .foreign, .missing: .badInput(description, hint: hint)
        case .exists: .refused(description, hint: hint)
        default: .environment(description, hint: hint)
        }
    }
}
