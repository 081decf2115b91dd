import IdentityProvider
import Primitives

/// Where the records of one kind are, for one tenant.
struct Table<Record: KeptRecord>: Sendable {
    let tenant: String
    let limit: Int
    let queries: TableQueries
    private let seal: RecordSeal
    private let health: StoreHealth

    /// - Parameter seal: of all tables, from which its own follows.
    init(_ name: TableName, of tenant: String, limit: Int, _ seal: RecordSeal, _ health: StoreHealth) {
        self.seal = seal.own(of: Array(tenant.utf8), in: name.rawValue)
        self.health = health
        self.tenant = tenant
        self.limit = limit
        queries = TableQueries.all[name]!
    }

    var name: TableName { queries.name }

    /// `nil`: it is not as it was written, or a newer program wrote it.
    private func opened(_ bytes: [UInt8], for key: [UInt8]) -> Record? {
        seal.opened(bytes, for: key).flatMap { try? Record(encoded: $0) }
    }

    private func read(_ bytes: [UInt8], for key: [UInt8]) throws(SQLiteFailure) -> Record {
        if let record = opened(bytes, for: key) { return record }
        health.note(damaged: 1, in: name, of: tenant)
        throw .refused(.unavailable(reason: "a record in \(name.rawValue) is damaged"))
    }
}

// MARK: - Reading

extension Table {
    func record(_ key: [UInt8], on connection: Connection) throws(SQLiteFailure) -> Record? {
        try bytes(at: seal.number(of: key), on: connection).map { bytes throws(SQLiteFailure) in
            try read(bytes, for: key)
        }
    }

    private func bytes(at number: Int64, on connection: Connection) throws(SQLiteFailure) -> [UInt8]? {
        try connection.with(queries.find, [.integer(number)]) { statement throws(SQLiteFailure) in
            try statement.step() ? statement.blob(0) : nil
        }
    }

    /// Goes through all of them, or those of a login, until `body` has had enough. One that is damaged ails no other.
    func forEach(
        of loginID: LoginID? = nil, on connection: Connection,
        _ body: (_ key: [UInt8], Record) throws(SQLiteFailure) -> Bool
    ) throws(SQLiteFailure) {
        var (query, values) = (queries.scan, [SQLiteValue.text(tenant)])
        if let loginID, let scanLogin = queries.scanLogin {
            query = scanLogin
            values.append(.text(loginID.text))
        }
        var damaged = 0
        defer { health.note(damaged: damaged, in: name, of: tenant) }
        try connection.with(query, values) { statement throws(SQLiteFailure) in
            while try statement.step() {
                let key = statement.blob(1)
                // One that is not where it is looked for is not as it was written.
                guard statement.integer(0) == seal.number(of: key), let record = opened(statement.blob(2), for: key)
                else {
                    damaged += 1
                    continue
                }
                guard try body(key, record) else { return }
            }
        }
    }

    func records(
        of loginID: LoginID? = nil, where isWanted: (Record) -> Bool, limit: Int, on connection: Connection
    ) throws(SQLiteFailure) -> [Record] {
        var found: [Record] = []
        guard limit > 0 else { return [] }
        try forEach(of: loginID, on: connection) { _, record throws(SQLiteFailure) in
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
    /// Becomes part of its caller, so that nothing but the closure knows of the result's type.
    ///
    /// - Parameter now: by which to tell what has expired, where a record is added; without one, the last moment that
    ///   somebody told holds.
    @inline(__always)
    func change<Result>(
        _ key: [UInt8], at now: Timestamp? = nil, in transaction: Transaction,
        by body: (inout Record?) throws(SQLiteFailure) -> Result
    ) throws(SQLiteFailure) -> Result {
        var result: Result?
        try rewrite(key, inPlace: false, at: now, in: transaction) { record throws(SQLiteFailure) in
            result = try body(&record)
        }
        guard let result else { preconditionFailure("a change that is done has a result") }
        return result
    }

    /// The same for every result, so that there is one for each kind of record. ``Work`` says why.
    ///
    /// - Parameter inPlace: whether the record is read and overwritten where it lies. Statements do then only what cannot be done
    ///   like that.
    private func rewrite(
        _ key: [UInt8], inPlace: Bool, at now: Timestamp?, in transaction: Transaction,
        by body: (inout Record?) throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        let connection = transaction.connection
        let number = seal.number(of: key)
        let records = inPlace ? transaction.recordsInPlace(of: queries) : nil
        var found = try records?.bytes(at: number)
        if found == nil { found = try bytes(at: number, on: connection) }
        guard let written = found else {
            var record: Record?
            try body(&record)
            guard let record else { return }
            try transaction.makeRoom(in: self, at: now)
            try connection.run(queries.insert, values(of: record, for: key, at: number))
            return transaction.count(1, in: name, of: tenant)
        }
        let former = try read(written, for: key)
        var record: Record? = former
        try body(&record)
        guard let record else {
            return transaction.count(
                -(try connection.run(queries.remove, [.integer(number)])), in: name, of: tenant)
        }
        let encoded = seal.sealed(
            record.encoded(inPlaceOf: former, written: RecordSeal.record(written)), for: key)
        // What stays as it was costs no page.
        guard encoded != written else { return }
        guard record.forgettable == former.forgettable else {
            try connection.run(
                queries.updateAll, [.integer(number), .blob(encoded), Self.value(record.forgettable)])
            return
        }
        if let records, try records.overwrite(number, with: encoded) { return }
        try connection.run(queries.update, [.integer(number), .blob(encoded)])
    }

    private func values(of record: Record, for key: [UInt8], at number: Int64) -> [SQLiteValue] {
        let values: [SQLiteValue] = [
            .integer(number), .text(tenant), .blob(key), .blob(seal.sealed(record.encoded, for: key)),
            Self.value(record.forgettable),
        ]
        guard name.namesLogin else { return values }
        return values + [record.login.map { .text($0.text) } ?? .null]
    }

    private static func value(_ moment: Timestamp?) -> SQLiteValue {
        moment.map { .integer($0.millisecondsSinceEpoch) } ?? .null
    }

    /// Puts a record in the place of another. Full, it throws.
    func insert(
        _ record: Record, for key: [UInt8], at now: Timestamp?, in transaction: Transaction
    ) throws(SQLiteFailure) {
        try change(key, at: now, in: transaction) { $0 = record }
    }

    /// Changes the record of a key; `nil` when there is none.
    @inline(__always)
    func changeExisting<Result>(
        _ key: [UInt8], in transaction: Transaction, by body: (inout Record) throws(SQLiteFailure) -> Result
    ) throws(SQLiteFailure) -> Result? {
        var result: Result?
        try rewrite(key, inPlace: name.keepsLength, at: nil, in: transaction) { record throws(SQLiteFailure) in
            guard var found = record else { return }
            result = try body(&found)
            record = found
        }
        return result
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
            let removed = try transaction.connection.run(queries.remove, [.integer(seal.number(of: key))])
            transaction.count(-removed, in: name, of: tenant)
        }
    }
}
