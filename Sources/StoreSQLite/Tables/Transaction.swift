import IdentityProvider
import Primitives

/// What the writer has open while it works through what waits.
final class Transaction {
    let connection: Connection
    let journal: HeadJournal
    private var counts: [Place: Count]
    /// Where rows came or went since the last commit.
    private var changed: Set<Place> = []
    /// The last moment that each tenant told.
    private var latest: [String: Timestamp] = [:]
    /// Whether a commit that failed may be in the log.
    private(set) var isLogSpoilt = false
    /// Of each table at its index, where they were asked for. Open until the end of the transaction.
    private var inPlace = [RecordsInPlace?](repeating: nil, count: TableName.allCases.count)

    private struct Place: Hashable {
        let tenant: String
        let table: TableName
    }

    private struct Count {
        /// As the disk has it.
        var kept = 0
        /// What is not committed yet.
        var difference = 0
        /// Rows that came since somebody last looked for expired ones.
        var added = 0
        var sweptAt: Timestamp?

        var now: Int { kept + difference }
    }

    /// So many rows come before expired ones are looked for; twice as many go then, if there are as many.
    private static let rowsPerSweep = 64
    /// Rows that go at once where there is no room.
    private static let rowsForRoom = 1024
    /// Whoever keeps a table full must not make us look through it with each request.
    private static let leastSweepInterval = Duration.milliseconds(100)

    init(_ connection: Connection, _ journal: HeadJournal) throws(SQLiteFailure) {
        self.connection = connection
        self.journal = journal
        var counts: [Place: Count] = [:]
        try connection.once("SELECT tenant, name, count FROM counts") { statement throws(SQLiteFailure) in
            while try statement.step() {
                guard let table = TableName(rawValue: statement.text(1)) else { continue }
                counts[Place(tenant: statement.text(0), table: table)] = Count(kept: Int(statement.integer(2)))
            }
        }
        self.counts = counts
    }

    /// Notes that rows came, or went.
    func count(_ difference: Int, in table: TableName, of tenant: String) {
        guard difference != 0 else { return }
        let place = Place(tenant: tenant, table: table)
        counts[place, default: Count()].difference += difference
        changed.insert(place)
        if difference > 0 { counts[place]!.added += difference }
    }

    /// Forgets what has expired, as far as there is need.
    func makeRoom<Record>(in table: Table<Record>, at now: Timestamp?) throws(SQLiteFailure) {
        if let now { latest[table.tenant] = now }
        let place = Place(tenant: table.tenant, table: table.name)
        let count = counts[place] ?? Count()
        guard let now = latest[table.tenant] else { return try requireRoom(table, count) }
        if count.now >= table.limit {
            if count.sweptAt.map({ now < $0 || now >= $0 + Self.leastSweepInterval }) ?? true {
                counts[place, default: Count()].sweptAt = now
                try sweep(table, place, Self.rowsForRoom, at: now)
            }
        } else if count.added >= Self.rowsPerSweep {
            counts[place]!.added = 0
            try sweep(table, place, 2 * Self.rowsPerSweep, at: now)
        }
        try requireRoom(table, counts[place] ?? Count())
    }

    private func requireRoom<Record>(_ table: Table<Record>, _ count: Count) throws(SQLiteFailure) {
        guard count.now < table.limit else { throw .refused(.full(limit: table.limit)) }
    }

    private func sweep<Record>(
        _ table: Table<Record>, _ place: Place, _ rows: Int, at now: Timestamp
    ) throws(SQLiteFailure) {
        let removed = try connection.run(
            table.queries.sweep,
            [.text(table.tenant), .integer(now.millisecondsSinceEpoch), .integer(Int64(rows))])
        count(-removed, in: table.name, of: table.tenant)
    }

    /// Removes everything of a tenant.
    func removeAll(of tenant: String) throws(SQLiteFailure) {
        // Heads of rows that are gone go when the hand comes to them; a row that comes again tells the journal.
        for table in TableName.allCases {
            let removed = try connection.run(TableQueries.all[table]!.removeAll, [.text(tenant)])
            count(-removed, in: table, of: tenant)
        }
        latest[tenant] = nil
    }
}

// MARK: - Its beginning and its end

extension Transaction {
    func begin() throws(SQLiteFailure) { try connection.run(.begin) }

    /// The records of a table, where they lie.
    func recordsInPlace(of table: TableQueries) -> RecordsInPlace {
        if let records = inPlace[table.index] { return records }
        let records = connection.recordsInPlace(of: table.name.rawValue)
        inPlace[table.index] = records
        return records
    }

    private func closeRecords() {
        for records in inPlace { records?.close() }
    }

    /// On the disk when it returns.
    func commit() throws(SQLiteFailure) {
        try journal.write(in: self)
        closeRecords()
        for place in changed where counts[place]!.difference != 0 {
            try connection.run(
                .setCount, [.text(place.tenant), .text(place.table.rawValue), .integer(Int64(counts[place]!.now))])
        }
        do throws(SQLiteFailure) { try connection.run(.commit) } catch {
            isLogSpoilt = true
            throw error
        }
        journal.committed()
        for place in changed {
            counts[place]!.kept = counts[place]!.now
            counts[place]!.difference = 0
        }
        changed.removeAll(keepingCapacity: true)
    }

    /// Takes out of the log what a commit that failed has left there. All of it may be there, and only the sync have failed:
    /// this connection passes over it, and whoever opens the database after a crash would take it for acknowledged.
    func mendLog() throws(SQLiteFailure) {
        guard isLogSpoilt else { return }
        try connection.overwriteEndOfLog()
        isLogSpoilt = false
    }

    /// Nothing has happened.
    func rollBack() {
        closeRecords()
        journal.rolledBack()
        // Some failures have ended the transaction already.
        if connection.isInTransaction { _ = try? connection.run(.rollback) }
        for place in changed { counts[place]!.difference = 0 }
        changed.removeAll(keepingCapacity: true)
    }
}
