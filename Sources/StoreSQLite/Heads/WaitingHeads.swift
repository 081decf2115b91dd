import IdentityProvider
import Synchronization

/// The heads that are in the journal and not yet where their records lie. Whoever reads a record looks here too.
///
/// The writer puts them here when they are on the disk, and takes them away when they are in their places: not before the
/// last reader who sees the places as they were has ended, or he would find neither.
package final class WaitingHeads: Sendable {
    private struct State {
        var buckets = [HeadBucket](repeating: HeadBucket(), count: WaitingHeads.bucketCount)
        /// How often the writer has changed something here.
        var changes: UInt64 = 0
        /// Of each who reads now: how often it was when he began.
        var readers: [UInt64?] = []
        /// What may go when everybody has begun after a change, in the order of these.
        var settled: [(change: UInt64, numbers: [Int64])] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Rows are in the order of their numbers, and so are buckets: of a million rows each has some fifteen, on a page.
    package static let bucketCount = 1 << 16

    private static func bucket(of number: Int64) -> Int {
        Int((UInt64(bitPattern: number) ^ 1 << 63) >> UInt64(64 - bucketCount.trailingZeroBitCount))
    }

    package func head(of number: Int64) -> SealedHead? {
        state.withLock { $0.buckets[Self.bucket(of: number)].head(of: number) }
    }

    /// A sealed record as it is now; `nil`: it is damaged.
    ///
    /// - Parameter lying: as it lies in its row.
    func record<Record: KeptRecord>(_ lying: [UInt8], at number: Int64, as _: Record.Type) -> [UInt8]? {
        guard let head = head(of: number) else { return lying }
        return head.joined(to: lying, as: Record.self)
    }

    /// Those whose rows are neighbours, as they are now.
    package func buckets(_ range: Range<Int>) -> [HeadBucket] { state.withLock { Array($0.buckets[range]) } }
}

// MARK: - Writing

extension WaitingHeads {
    /// Takes what has come to the disk.
    ///
    /// - Parameters:
    ///   - heads: of rows; `nil`: the row has gone, or its record is whole where it lies.
    ///   - settled: rows whose heads are in their places now.
    package func take(_ heads: [Int64: SealedHead?], settling settled: [Int64]) {
        state.withLock { state in
            state.changes += 1
            var settled = settled
            for (number, head) in heads {
                if let head {
                    state.buckets[Self.bucket(of: number)].set(head.bytes, at: number)
                } else {
                    settled.append(number)
                }
            }
            for number in settled { state.buckets[Self.bucket(of: number)].settle(number) }
            if !settled.isEmpty { state.settled.append((state.changes, settled)) }
            Self.removeSettled(&state)
        }
    }

    private static func removeSettled(_ state: inout State) {
        guard let first = state.settled.first else { return }
        let oldest = state.readers.reduce(UInt64.max) { min($0, $1 ?? .max) }
        guard first.change <= oldest else { return }
        let count = state.settled.firstIndex { $0.change > oldest } ?? state.settled.count
        // What was settled again since has changed between: those who began before that still need the newer head.
        let later = Set(state.settled[count...].lazy.flatMap(\.numbers))
        for (_, numbers) in state.settled[..<count] {
            for number in numbers where !later.contains(number) {
                state.buckets[bucket(of: number)].removeSettled(number)
            }
        }
        state.settled.removeFirst(count)
    }

    /// Takes a row of the journal, before anybody reads; `false`: it is not as it was written.
    package func load(_ row: [UInt8], at sequence: Int64, _ seal: RecordSeal) -> Bool {
        state.withLock { state in
            HeadRow.decode(row, at: sequence, seal) { number, head in
                let bucket = Self.bucket(of: number)
                if let head { return state.buckets[bucket].set(head, at: number) }
                state.buckets[bucket].settle(number)
                state.buckets[bucket].removeSettled(number)
            }
        }
    }
}

// MARK: - Reading

extension WaitingHeads {
    /// Somebody who reads.
    package struct Reading {
        fileprivate let place: Int
    }

    /// To be asked before the database is looked at, and ended after it.
    package func beginReading() -> Reading {
        state.withLock { state in
            let place = state.readers.firstIndex(of: nil) ?? state.readers.count
            if place == state.readers.count { state.readers.append(nil) }
            state.readers[place] = state.changes
            return Reading(place: place)
        }
    }

    package func end(_ reading: Reading) { state.withLock { $0.readers[reading.place] = nil } }
}
