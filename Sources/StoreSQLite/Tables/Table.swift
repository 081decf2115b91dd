import IdentityProvider
import Primitives

/// Where the records of one kind are, for one tenant.
struct Table<Record: KeptRecord>: Sendable {
    let tenant: String
    let limit: Int
    let queries: TableQueries
    private let seal: RecordSeal
    /// What has changed of records, and is not yet in their rows; `nil`: all is.
    private let heads: WaitingHeads?
    private let health: StoreHealth

    /// - Parameter seal: of all tables, from which its own follows.
    init(
        _ name: TableName, of tenant: String, limit: Int, _ seal: RecordSeal, _ heads: WaitingHeads,
        _ health: StoreHealth
    ) {
        self.heads = name.keepsHeads ? heads : nil
        self.seal = seal.own(of: Array(tenant.utf8), in: name.rawValue)
        self.health = health
        self.tenant = tenant
        self.limit = limit
        queries = TableQueries.all[name]!
    }

    var name: TableName { queries.name }

    /// `nil`: it is not as it was written, or a newer program wrote it.
    private func opened(_ bytes: [UInt8]?, for key: [UInt8]) -> Record? {
        bytes.flatMap { seal.opened($0, for: key) }.flatMap { try? Record(encoded: $0) }
    }

    private func read(_ bytes: [UInt8]?, for key: [UInt8]) throws(SQLiteFailure) -> Record {
        if let record = opened(bytes, for: key) { return record }
        health.note(damaged: 1, in: name, of: tenant)
        throw .refused(.unavailable(reason: "a record in \(name.rawValue) is damaged"))
    }
}

// MARK: - Reading

extension Table {
    func record(_ key: [UInt8], on connection: Connection) throws(SQLiteFailure) -> Record? {
        let number = seal.number(of: key)
        return try connection.record(at: number, of: queries).map { lying throws(SQLiteFailure) in
            try read(current(lying, at: number), for: key)
        }
    }

    /// A record as it is now, by how it lies in its row; `nil`: it is damaged.
    private func current(_ lying: [UInt8], at number: Int64) -> [UInt8]? {
        guard let heads else { return lying }
        return heads.record(lying, at: number, as: Record.self)
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
                let (number, key) = (statement.integer(0), statement.blob(1))
                // One that is not where it is looked for is not as it was written.
                guard number == seal.number(of: key),
                    let record = opened(current(statement.blob(2), at: number), for: key)
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
        if found == nil { found = try connection.record(at: number, of: queries) }
        let journal = name.keepsHeads ? transaction.journal : nil
        guard let lying = found else {
            var record: Record?
            try body(&record)
            guard let record else { return }
            try transaction.makeRoom(in: self, at: now)
            let encoded = seal.sealed(record.encoded, for: key)
            try connection.run(queries.insert, values(of: record, encoded, for: key, at: number))
            journal?.noteRow(encoded, at: number)
            return transaction.count(1, in: name, of: tenant)
        }
        let written = journal.map { $0.record(lying, at: number) } ?? lying
        let former = try read(written, for: key)
        var record: Record? = former
        try body(&record)
        guard let record else {
            journal?.noteNoRow(at: number)
            return transaction.count(
                -(try connection.run(queries.remove, [.integer(number)])), in: name, of: tenant)
        }
        guard let written else { preconditionFailure("what was read is not damaged") }
        let encoded = seal.sealed(
            record.encoded(inPlaceOf: former, written: RecordSeal.record(written)), for: key)
        // What stays as it was costs no page.
        guard encoded != written else { return }
        if let journal, record.forgettable == former.forgettable, Self.lasts(written, in: encoded),
            let head = SealedHead(of: encoded, as: Record.self)
        {
            return journal.note(head, at: number)
        }
        defer { journal?.noteRow(encoded, at: number) }
        guard record.forgettable == former.forgettable else {
            try connection.run(
                queries.updateAll, [.integer(number), .blob(encoded), Self.value(record.forgettable)])
            return
        }
        if let records, try records.overwrite(number, with: encoded) { return }
        try connection.run(queries.update, [.integer(number), .blob(encoded)])
    }

    /// Whether what lasts of a sealed record is the same in another.
    private static func lasts(_ former: [UInt8], in other: [UInt8]) -> Bool {
        guard let lasting = SealedHead.lasting(in: former, as: Record.self) else { return false }
        return SealedHead.lasting(in: other, as: Record.self) == lasting
    }

    private func values(
        of record: Record, _ encoded: [UInt8], for key: [UInt8], at number: Int64
    ) -> [SQLiteValue] {
        let values: [SQLiteValue] = [
            .integer(number), .text(tenant), .blob(key), .blob(encoded),
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
        precondition(!name.keepsHeads, "whoever looks through them here does not see what the transaction has changed")
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
