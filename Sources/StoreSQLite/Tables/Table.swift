import IdentityProvider
import Primitives

/// Where the records of one kind are, for one tenant.
struct Table<Record: StoredRecord>: Sendable {
    let name: TableName
    let tenant: String
    let limit: Int
    let queries: TableQueries
    /// From when on a record may be forgotten; `nil`: never.
    let forget: @Sendable (Record) -> Timestamp?

    init(
        _ name: TableName, of tenant: String, limit: Int, forgetting forget: @escaping @Sendable (Record) -> Timestamp?
    ) {
        self.name = name
        self.tenant = tenant
        self.limit = limit
        self.forget = forget
        queries = TableQueries.all[name]!
    }

    private func values(_ record: Record, for key: [UInt8], _ encoded: [UInt8]) -> [SQLiteValue] {
        let moment = forget(record)
        return [
            .text(tenant), .blob(key), .blob(encoded),
            moment.map { .integer($0.millisecondsSinceEpoch) } ?? .null,
        ]
    }

    private static func read(_ bytes: [UInt8]) throws(SQLiteFailure) -> Record {
        do throws(RecordError) {
            return try Record(encoded: bytes)
        } catch {
            throw .refused(.unavailable(reason: error.description))
        }
    }
}

// MARK: - Reading

extension Table {
    func record(_ key: [UInt8], on connection: Connection) throws(SQLiteFailure) -> Record? {
        try bytes(key, on: connection).map { bytes throws(SQLiteFailure) in try Self.read(bytes) }
    }

    private func bytes(_ key: [UInt8], on connection: Connection) throws(SQLiteFailure) -> [UInt8]? {
        try connection.with(queries.find, [.text(tenant), .blob(key)]) { statement throws(SQLiteFailure) in
            try statement.step() ? statement.blob(0) : nil
        }
    }

    /// Goes through all of them, until `body` has had enough.
    func forEach(
        on connection: Connection, _ body: (_ key: [UInt8], Record) throws(SQLiteFailure) -> Bool
    ) throws(SQLiteFailure) {
        try connection.with(queries.scan, [.text(tenant)]) { statement throws(SQLiteFailure) in
            while try statement.step() {
                guard try body(statement.blob(0), Self.read(statement.blob(1))) else { return }
            }
        }
    }

    func records(
        where isWanted: (Record) -> Bool, limit: Int, on connection: Connection
    ) throws(SQLiteFailure) -> [Record] {
        var found: [Record] = []
        guard limit > 0 else { return [] }
        try forEach(on: connection) { _, record throws(SQLiteFailure) in
            if isWanted(record) { found.append(record) }
            return found.count < limit
        }
        return found
    }
}

// MARK: - Writing

extension Table {
    /// Changes the record of a key, or makes one, or removes it by setting `nil`. What it throws it throws before anything
    /// has changed, unless it is SQLite's.
    ///
    /// - Parameter now: by which to tell what has expired, where a record is added; without one, the last moment that
    ///   somebody told holds.
    func change<Result>(
        _ key: [UInt8], at now: Timestamp? = nil, in transaction: Transaction, by body: (inout Record?) -> Result
    ) throws(SQLiteFailure) -> Result {
        let connection = transaction.connection
        guard let former = try bytes(key, on: connection) else {
            var record: Record?
            let result = body(&record)
            guard let record else { return result }
            try transaction.makeRoom(in: self, at: now)
            try connection.run(queries.insert, values(record, for: key, record.encoded))
            transaction.count(1, in: name, of: tenant)
            return result
        }
        var record: Record? = try Self.read(former)
        let result = body(&record)
        guard let record else {
            transaction.count(-(try connection.run(queries.remove, [.text(tenant), .blob(key)])), in: name, of: tenant)
            return result
        }
        let encoded = record.encoded
        // What stays as it was costs no page.
        if encoded != former { try connection.run(queries.update, values(record, for: key, encoded)) }
        return result
    }

    /// Puts a record in the place of another. Full, it throws.
    func insert(
        _ record: Record, for key: [UInt8], at now: Timestamp?, in transaction: Transaction
    ) throws(SQLiteFailure) {
        try change(key, at: now, in: transaction) { $0 = record }
    }

    /// Changes the record of a key; `nil` when there is none.
    func changeExisting<Result>(
        _ key: [UInt8], in transaction: Transaction, by body: (inout Record) -> Result
    ) throws(SQLiteFailure) -> Result? {
        try change(key, in: transaction) { record in
            guard var found = record else { return nil }
            let result = body(&found)
            record = found
            return result
        }
    }

    func removeAll(
        in transaction: Transaction, where isMeant: (_ key: [UInt8], Record) throws(SQLiteFailure) -> Bool
    ) throws(SQLiteFailure) {
        var keys: [[UInt8]] = []
        try forEach(on: transaction.connection) { key, record throws(SQLiteFailure) in
            if try isMeant(key, record) { keys.append(key) }
            return true
        }
        for key in keys {
            let removed = try transaction.connection.run(queries.remove, [.text(tenant), .blob(key)])
            transaction.count(-removed, in: name, of: tenant)
        }
    }
}
