import Primitives
import StoreSQLite
import Testing

/// When heads are put where they belong, and when the journal forgets them.
@Suite struct FoldingHandTests {
    /// A journal, and what the hand has done of it.
    private struct Journal {
        var hand: FoldingHand
        var rows: [Int64: Int] = [:]
        var bytes = 0
        /// Of each slice, up to which row its heads are in their places.
        var settled: [Int64]

        init(_ hand: FoldingHand) {
            self.hand = hand
            settled = [Int64](repeating: 0, count: FoldingHand.sliceCount)
        }

        /// A transaction whose row takes so many bytes.
        mutating func write(_ count: Int) {
            let last = hand.lastRow
            let width = FoldingHand.buckets(of: 0).count
            let due = hand.dueSlices()
            for buckets in due { settled[buckets.lowerBound / width] = last }
            if let forgotten = hand.rowsToForget(after: due.count) {
                let settled = settled.min() ?? 0
                for row in forgotten {
                    guard let removed = rows.removeValue(forKey: row), settled >= row else {
                        Issue.record("\(row) was forgotten twice or never there, or its heads are nowhere")
                        return
                    }
                    bytes -= removed
                }
            }
            rows[hand.nextRow] = count
            bytes += count
            hand.wrote(count)
        }
    }

    /// Whatever is written, nothing is forgotten too early and the journal has its bound: few rows of many bytes, and many of few.
    @Test(arguments: [1, 60, 1000, 50_000], [1 << 16, 1 << 20])
    func forgetsWhatIsInItsPlaceAndNothingElse(most: Int, bytesPerRound: Int) {
        let random = SeededRandom(seed: UInt64(most))
        var journal = Journal(FoldingHand(bytesPerRound: bytesPerRound))
        var longest = 0
        for _ in 0..<min(60_000, 8 * bytesPerRound / most + 4000) {
            journal.write(1 + Int(random.bytes(4).reduce(0) { $0 << 8 | UInt64($1) }) % most)
            longest = max(longest, journal.bytes)
        }
        #expect(longest > bytesPerRound / 20)
        // A transaction goes no further than sixteen slices, however much it wrote.
        let bound = max(2 * bytesPerRound + bytesPerRound / 2, 3 * FoldingHand.sliceCount / 16 * most)
        #expect(longest <= bound)
    }

    /// Who is killed before the hand has been round begins anew, and does not collect rows for ever.
    @Test func theJournalHasItsBoundHoweverOftenTheServerIsKilled() {
        let bytesPerRound = 1 << 16
        var journal = Journal(FoldingHand(bytesPerRound: bytesPerRound))
        for _ in 0..<60 {
            for _ in 0..<400 { journal.write(60) }
            let first = journal.rows.keys.min() ?? 1
            let last = journal.rows.keys.max() ?? 0
            journal.hand = FoldingHand(
                bytesPerRound: bytesPerRound, firstRow: first, lastRow: last, bytes: journal.bytes)
        }
        #expect(journal.bytes < 6 * bytesPerRound)
    }

    @Test func movesNoFurtherThanTheJournalHasGrown() {
        var hand = FoldingHand()
        #expect(hand.dueSlices().isEmpty)
        hand.wrote(FoldingHand.usualBytesPerRound / FoldingHand.sliceCount - 17)
        #expect(hand.dueSlices().isEmpty)
        hand.wrote(1)
        #expect(hand.dueSlices() == [FoldingHand.buckets(of: 0)])
        #expect(hand.dueSlices().isEmpty)
    }

    @Test func anEmptyJournalGoesOnCounting() {
        var hand = FoldingHand()
        for _ in 0..<3 { hand.wrote(60) }
        #expect(!hand.isJournalEmpty)
        hand.forgotAll()
        #expect(hand.isJournalEmpty)
        #expect(hand.nextRow == 4)
        #expect(hand.rowsToForget(after: 9) == nil)
    }
}
