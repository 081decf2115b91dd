import Primitives
import StoreSQLite
import Testing

/// The heads that are in memory until they are where they belong, and their rows in the journal.
@Suite struct WaitingHeadsTests {
    private let random = SeededRandom(seed: 5)

    private func number(below bound: Int) -> Int {
        Int(random.bytes(4).reduce(0) { $0 << 8 | UInt64($1) }) % bound
    }

    private func head(_ bytes: [UInt8]) -> SealedHead { SealedHead(bytes: bytes[...]) }

    private func found(_ heads: WaitingHeads, _ number: Int64) -> [UInt8]? {
        heads.head(of: number).map { Array($0.bytes) }
    }

    /// Numbers that share buckets and numbers at both ends.
    private static let numbers: [Int64] = (0..<24).map { $0 * 3 } + [.min, .min + 1, -1, .max, .max - 1]

    @Test func hasWhatADictionaryHas() {
        let heads = WaitingHeads()
        var known: [Int64: [UInt8]] = [:]
        for _ in 0..<5000 {
            let number = Self.numbers[number(below: Self.numbers.count)]
            switch self.number(below: 4) {
            case 0:
                heads.take([number: nil], settling: [])
                known[number] = nil
            case 1:
                heads.take([:], settling: [number])
                known[number] = nil
            default:
                let bytes = random.bytes(1 + self.number(below: 40))
                heads.take([number: head(bytes)], settling: [])
                known[number] = bytes
            }
            #expect(found(heads, number) == known[number])
        }
        for number in Self.numbers { #expect(found(heads, number) == known[number]) }
        let waiting = heads.buckets(0..<WaitingHeads.bucketCount).flatMap(\.waiting)
        #expect(waiting.map(\.number) == known.keys.sorted())
        #expect(waiting.map { Array($0.head.bytes) } == known.keys.sorted().map { known[$0]! })
    }

    /// Who began before a head was put in its place sees the place as it was: he still finds the head.
    @Test func staysUntilEverybodyHasBegunAfterwards() {
        let heads = WaitingHeads()
        heads.take([1: head([1]), 2: head([2])], settling: [])
        let early = heads.beginReading()
        heads.take([:], settling: [1])
        let late = heads.beginReading()
        #expect(found(heads, 1) == [1])
        // It is not put there a second time.
        #expect(heads.buckets(0..<WaitingHeads.bucketCount).flatMap(\.waiting).map(\.number) == [2])
        heads.take([3: head([3])], settling: [2])
        heads.end(early)
        heads.take([4: head([4])], settling: [])
        #expect(found(heads, 1) == nil)
        #expect(found(heads, 2) == [2])
        heads.end(late)
        heads.take([5: head([5])], settling: [])
        #expect(found(heads, 2) == nil)
        #expect(found(heads, 3) == [3])
    }

    /// What came after the other was put in its place stays.
    @Test func aNewHeadDoesNotGoWithTheOldOne() {
        let heads = WaitingHeads()
        heads.take([1: head([1])], settling: [])
        let reading = heads.beginReading()
        heads.take([:], settling: [1])
        heads.take([1: head([2])], settling: [])
        heads.end(reading)
        heads.take([9: head([9])], settling: [])
        #expect(found(heads, 1) == [2])
    }

    /// Settled twice, it goes with the second time and not with the first: who began between has seen the first place.
    @Test func aHeadDoesNotGoBecauseTheOneBeforeItMay() {
        let heads = WaitingHeads()
        heads.take([1: head([1])], settling: [])
        let early = heads.beginReading()
        heads.take([:], settling: [1])
        heads.take([1: head([2])], settling: [])
        let between = heads.beginReading()
        heads.end(early)
        heads.take([:], settling: [1])
        #expect(found(heads, 1) == [2])
        heads.end(between)
        heads.take([9: head([9])], settling: [])
        #expect(found(heads, 1) == nil)
    }

    // MARK: - Rows

    private static let seal = RecordSeal(key: (3, 4))

    private func decoded(_ row: [UInt8], at sequence: Int64 = 7, _ seal: RecordSeal = Self.seal) -> [Int64: [UInt8]?]? {
        var heads: [Int64: [UInt8]?] = [:]
        let isWhole = HeadRow.decode(row, at: sequence, seal) { heads.updateValue($1.map(Array.init), forKey: $0) }
        return isWhole ? heads : nil
    }

    @Test func rowsComeBackAsTheyWere() {
        for count in 0..<12 {
            var heads: [Int64: SealedHead?] = [:]
            for number in Self.numbers.prefix(count) {
                let bytes = random.bytes(self.number(below: 60))
                heads.updateValue(bytes.isEmpty ? nil : head(bytes), forKey: number)
            }
            let row = HeadRow.encode(heads, at: 7, Self.seal)
            #expect(decoded(row) == heads.mapValues { $0.map { Array($0.bytes) } })
        }
    }

    @Test func rowsThatAreNotAsTheyWereWrittenAreRefused() {
        let row = HeadRow.encode([1: head([1, 2, 3]), -5: nil, 9: head([4])], at: 7, Self.seal)
        #expect(decoded(row) != nil)
        for count in 0..<row.count { #expect(decoded(Array(row[..<count])) == nil) }
        for index in row.indices {
            var changed = row
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(decoded(changed) == nil)
        }
        #expect(decoded(row + [0]) == nil)
        #expect(decoded(row, at: 8) == nil)
        #expect(decoded(row, RecordSeal(key: (3, 5))) == nil)
    }

    /// Sealed as it is, it still says what cannot be.
    @Test(arguments: [[0], [UInt8](repeating: 0, count: 9), [0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 1]])
    func rowsThatEndInTheMiddleAreRefused(content: [UInt8]) {
        let key = withUnsafeBytes(of: Int64(7).littleEndian) { Array($0) }
        #expect(decoded(Self.seal.sealed(content, for: key)) == nil)
    }
}
