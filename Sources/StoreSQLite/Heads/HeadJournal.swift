import IdentityProvider

/// Where the head of a record goes when it changes: with all others of its transaction into one row of a journal, which is a
/// table of the database itself, until it is written to its place together with others of the same page.
///
/// Among many families each refresh changes another page. To write that for some forty bytes of a record is most of what a
/// refresh would cost, and is owed once for all that has changed on a page meanwhile.
///
/// For the thread of the writer. It outlasts a connection.
final class HeadJournal {
    /// Of the rows that are on the disk.
    private let waiting: WaitingHeads
    private let seal: RecordSeal
    private var hand: FoldingHand
    /// As it is if the transaction succeeds.
    private var handAfter: FoldingHand?
    /// What the transaction has changed; `nil`: the row has gone, or its record is whole where it lies.
    private var changed: [Int64: SealedHead?] = [:]
    /// Whose heads the transaction has written to their places.
    private var settled: [Int64] = []
    /// Where that could not be done: until a transaction is committed, the heads are written to the journal once more instead.
    private var passedOver: Set<Range<Int>> = []
    /// Whether the transaction is to leave nothing in the journal.
    private var isEmptying = false
    /// Whether that has failed, since somebody last asked.
    private var hasFailedToEmpty = false

    /// The records that have heads.
    typealias Record = Family
    static let table = TableName.families

    /// That of a database, as it was left.
    ///
    /// - Parameters:
    ///   - seal: of all tables.
    ///   - bytesPerRound: see ``FoldingHand``.
    init(
        on connection: Connection, _ waiting: WaitingHeads, _ seal: RecordSeal,
        bytesPerRound: Int = FoldingHand.usualBytesPerRound
    ) throws(SQLiteFailure) {
        let seal = seal.own(of: [], in: "heads")
        var (first, last, byteCount): (Int64, Int64, Int) = (1, 0, 0)
        try connection.once("SELECT sequence, heads FROM heads ORDER BY sequence") { statement throws(SQLiteFailure) in
            while try statement.step() {
                let (sequence, bytes) = (statement.integer(0), statement.blob(1))
                guard waiting.load(bytes, at: sequence, seal) else {
                    throw .database(.damagedJournal(row: sequence))
                }
                if last == 0 { first = sequence }
                last = sequence
                byteCount += bytes.count + FoldingHand.bytesPerRow
            }
        }
        self.waiting = waiting
        self.seal = seal
        hand = FoldingHand(
            bytesPerRound: bytesPerRound, firstRow: last == 0 ? 1 : first, lastRow: last, bytes: byteCount)
    }
}

// MARK: - Records

extension HeadJournal {
    /// A sealed record as it is now, with what the transaction has changed; `nil`: it is damaged.
    ///
    /// - Parameter lying: as it lies in its row.
    func record(_ lying: [UInt8], at number: Int64) -> [UInt8]? {
        guard let own = changed[number] else { return waiting.record(lying, at: number, as: Record.self) }
        guard let own else { return lying }
        return own.joined(to: lying, as: Record.self)
    }

    /// Notes the head of a record.
    func note(_ head: SealedHead, at number: Int64) { changed[number] = head }

    /// Notes that a row has come, and its record with it, whole. A row of that number may have been there before, and the
    /// journal have heads of it still.
    func noteRow(_ record: [UInt8], at number: Int64) {
        if changed[number] != nil || waiting.head(of: number) != nil, let head = SealedHead(of: record, as: Record.self)
        {
            note(head, at: number)
        } else {
            noteNoRow(at: number)
        }
    }

    /// Notes that a row has gone.
    func noteNoRow(at number: Int64) {
        if changed[number] != nil || !hand.isJournalEmpty { changed.updateValue(nil, forKey: number) }
    }

    /// Leaves nothing in the journal when the next transaction is committed: where there is no room for another row. If that
    /// fails, it is not tried again before ``mayEmptyAgain()``.
    func empty() { isEmptying = !hasFailedToEmpty && passedOver.isEmpty }

    func mayEmptyAgain() { hasFailedToEmpty = false }
}

// MARK: - The end of a transaction

extension HeadJournal {
    /// Writes what has changed, and puts some of what waits in its place.
    func write(in transaction: Transaction) throws(SQLiteFailure) {
        var hand = hand
        var carried: [Int64: SealedHead?] = [:]
        let due = isEmptying ? hand.allSlices : hand.dueSlices()
        for slice in due {
            let heads = waiting.buckets(slice).flatMap(\.waiting).filter { changed[$0.number] == nil }
            if passedOver.contains(slice) {
                for (number, head) in heads { carried[number] = head }
                continue
            }
            do throws(SQLiteFailure) {
                for (number, head) in heads where try !put(head, at: number, in: transaction) {
                    carried[number] = head
                }
            } catch {
                // Not one after the other: a disk that is full, or dying, would fail at each.
                passedOver.formUnion(due)
                if isEmptying { hasFailedToEmpty = true }
                throw error
            }
        }
        if isEmptying {
            for case (let number, let head?) in changed {
                if try !put(head, at: number, in: transaction) { carried[number] = head }
            }
            try transaction.connection.run(.forgetAllHeads)
            hand.forgotAll()
        } else {
            carried.merge(changed) { $1 }
            if let rows = hand.rowsToForget(after: due.count) {
                try transaction.connection.run(
                    .forgetHeads, [.integer(rows.lowerBound), .integer(rows.upperBound)])
            }
        }
        if !carried.isEmpty {
            let row = HeadRow.encode(carried, at: hand.nextRow, seal)
            try transaction.connection.run(.keepHeads, [.integer(hand.nextRow), .blob(row)])
            hand.wrote(row.count)
        }
        handAfter = hand
    }

    /// Puts a head in its place, unless that is not there any more; `false`: what lies there is damaged.
    private func put(
        _ head: SealedHead, at number: Int64, in transaction: Transaction
    ) throws(SQLiteFailure) -> Bool {
        let queries = TableQueries.all[Self.table]!
        let records = transaction.recordsInPlace(of: queries)
        var found = try records.bytes(at: number)
        if found == nil { found = try transaction.connection.record(at: number, of: queries) }
        if let lying = found {
            guard let joined = head.joined(to: lying, as: Record.self) else { return false }
            if joined != lying, try !records.overwrite(number, with: joined) {
                try transaction.connection.run(queries.update, [.integer(number), .blob(joined)])
            }
        }
        settled.append(number)
        return true
    }

    /// It is on the disk.
    func committed() {
        guard let hand = handAfter else { return }
        self.hand = hand
        if !changed.isEmpty || !settled.isEmpty { waiting.take(changed, settling: settled) }
        passedOver.removeAll()
        begin()
    }

    /// It has come to nothing.
    func rolledBack() { begin() }

    /// How many slices could not be put in their places, since a transaction was last committed.
    var slicesPassedOver: Int { passedOver.count }

    private func begin() {
        changed.removeAll(keepingCapacity: true)
        settled.removeAll(keepingCapacity: true)
        isEmptying = false
        handAfter = nil
    }
}
