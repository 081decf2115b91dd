/// Says when heads are put where their records lie, and which: a hand that goes round the numbers of rows, slice by slice, as
/// far as the journal has grown. So what was changed on a page meanwhile is written there at once, the work is the same for
/// each commit, and the journal has its bound: a row of it is not needed any more once the hand has been round since.
///
/// Knows no database: it is told what happens, and says what to do.
package struct FoldingHand: Equatable {
    /// The journal grows by so much while the hand goes round, and has no more than twice as much.
    private let bytesPerRound: Int

    /// Rows are counted from one, in the order in which they are written.
    package private(set) var lastRow: Int64 = 0
    private var firstRow: Int64 = 1
    /// Up to here all heads are in their places.
    private var lastSettledRow: Int64 = 0
    /// The last one when the hand was at the beginning.
    private var lastRowAtStart: Int64 = 0
    private var rowsForgottenPerSlice: Int64 = 1

    private var slice = 0
    /// What was written, and is not yet made up for by moving on.
    private var owedBytes = 0
    /// Of the journal: what was there when the hand was at the beginning, and what came since.
    private var bytesAtStart = 0
    private var bytesSinceStart = 0

    package static let usualBytesPerRound = 16 << 20
    /// Buckets that are done together: some fourteen pages of a million rows.
    private static let bucketsPerSlice = 16
    package static let sliceCount = WaitingHeads.bucketCount / bucketsPerSlice
    /// What a row takes besides its content.
    static let bytesPerRow = 16
    /// However much has been written: the first who waits does not wait for ever.
    private static let mostSlicesAtOnce = 16

    /// Of a journal that is there already.
    package init(
        bytesPerRound: Int = usualBytesPerRound, firstRow: Int64 = 1, lastRow: Int64 = 0, bytes: Int = 0
    ) {
        self.bytesPerRound = max(bytesPerRound, Self.sliceCount)
        self.firstRow = firstRow
        self.lastRow = lastRow
        lastSettledRow = firstRow - 1
        lastRowAtStart = lastRow
        bytesAtStart = bytes
    }

    /// Whether there may be heads of any row in the journal.
    package var isJournalEmpty: Bool { firstRow > lastRow }

    /// The number of the next row.
    package var nextRow: Int64 { lastRow + 1 }

    /// A row of so many bytes was written.
    package mutating func wrote(_ bytes: Int) {
        lastRow += 1
        let bytes = bytes + Self.bytesPerRow
        // A server that is killed again and again before the hand has been round makes up for it.
        owedBytes += bytes * max(1, (bytesAtStart + bytesSinceStart) / bytesPerRound)
        bytesSinceStart += bytes
    }

    /// The buckets whose turn it is, if there is need.
    package mutating func dueSlices() -> [Range<Int>] {
        var due: [Range<Int>] = []
        while owedBytes >= bytesPerSlice, due.count < Self.mostSlicesAtOnce {
            owedBytes -= bytesPerSlice
            due.append(Self.buckets(of: slice))
            slice += 1
            if slice == Self.sliceCount { hasBeenRound() }
        }
        return due
    }

    /// Every bucket, if the journal has anything.
    var allSlices: [Range<Int>] { isJournalEmpty ? [] : (0..<Self.sliceCount).map(Self.buckets) }

    package static func buckets(of slice: Int) -> Range<Int> { slice * bucketsPerSlice..<(slice + 1) * bucketsPerSlice }

    private var bytesPerSlice: Int { bytesPerRound / Self.sliceCount }

    private mutating func hasBeenRound() {
        slice = 0
        lastSettledRow = lastRowAtStart
        lastRowAtStart = lastRow
        // What can be forgotten has gone when the hand is half way round.
        rowsForgottenPerSlice = 1 + 2 * (lastSettledRow - firstRow + 1) / Int64(Self.sliceCount)
        (bytesAtStart, bytesSinceStart) = (bytesSinceStart, 0)
    }

    /// Rows that are not needed any more: some, for each slice that is done.
    package mutating func rowsToForget(after slices: Int) -> ClosedRange<Int64>? {
        guard firstRow <= lastSettledRow, slices > 0 else { return nil }
        let rows = firstRow...min(lastSettledRow, firstRow + Int64(slices) * rowsForgottenPerSlice - 1)
        firstRow = rows.upperBound + 1
        return rows
    }

    /// All heads are in their places, and the journal has nothing.
    package mutating func forgotAll() {
        self = Self(bytesPerRound: bytesPerRound, firstRow: lastRow + 1, lastRow: lastRow)
    }
}
