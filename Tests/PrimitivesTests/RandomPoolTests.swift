import Primitives
import Synchronization
import Testing

@Suite("Random bytes drawn from a pool")
struct RandomPoolTests {
    /// Keeps what it found where it was to write.
    private final class WatchedSource: Sendable {
        private let random = SeededRandom(seed: 7)
        private let findings = Mutex<[[UInt8]]>([])

        func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            findings.withLock { $0.append(Array(buffer)) }
            random.fill(buffer)
        }

        /// What was in the pool each time before it was filled.
        var found: [[UInt8]] { findings.withLock { $0 } }
    }

    private func share(_ count: Int, of pool: RandomPool) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { pool.fill($0) }
        return bytes
    }

    @Test("gives no byte twice")
    func givesNoByteTwice() {
        let source = WatchedSource()
        let pool = RandomPool { source.fill($0) }
        let shares = (0..<1000).map { _ in share(8, of: pool) }
        #expect(Set(shares).count == 1000)
        #expect(source.found.count == 8)
    }

    @Test("never gives a share that goes beyond what is left", arguments: [7, 9, 24, 33, 63, 64])
    func refillsForAShareThatIsTooLarge(count: Int) {
        let source = WatchedSource()
        let pool = RandomPool { source.fill($0) }
        let shares = (0..<200).map { _ in share(count, of: pool) }
        #expect(Set(shares).count == 200)
        // Of an empty pool there would be zeros.
        #expect(shares.allSatisfy { $0.contains { $0 != 0 } })
        let perFilling = RandomPool.byteCount / count
        #expect(source.found.count == (200 + perFilling - 1) / perFilling)
    }

    @Test("keeps nothing of what it has given")
    func wipesWhatItGave() throws {
        let source = WatchedSource()
        let pool = RandomPool { source.fill($0) }
        for _ in 0...RandomPool.byteCount / 32 { _ = share(32, of: pool) }
        #expect(source.found.count == 2)
        #expect(try #require(source.found.last).allSatisfy { $0 == 0 })
    }

    @Test(
        "is not used for more than it is meant for",
        arguments: [RandomPool.largestShare + 1, 256, 257, RandomPool.byteCount * 2])
    func drawsLargeAmountsDirectly(count: Int) {
        let source = WatchedSource()
        let random = SystemRandom(pool: RandomPool { source.fill($0) })
        let first = random.bytes(count)
        #expect(source.found.isEmpty)
        #expect(first != random.bytes(count))
        // All of it: of sixteen bytes that nobody wrote, not one would differ.
        let blocks = stride(from: 0, through: count - 16, by: 16).map { Array(first[$0..<$0 + 16]) }
        #expect(Set(blocks).count == blocks.count)
        #expect(Set([Array(first.suffix(16)), Array(random.bytes(count).suffix(16))]).count == 2)
    }

    @Test("is used for what it is meant for", arguments: [1, 16, RandomPool.largestShare])
    func drawsSmallAmountsFromThePool(count: Int) {
        let source = WatchedSource()
        let random = SystemRandom(pool: RandomPool { source.fill($0) })
        #expect(random.bytes(count) == share(count, of: RandomPool(refill: WatchedSource().fill)))
        #expect(source.found.count == 1)
    }

    @Test("gives each of many threads bytes of its own")
    func servesManyThreads() async {
        let identifiers = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { (0..<500).map { _ in SystemRandom().identifier() } } }
            return await group.reduce(into: [String]()) { $0 += $1 }
        }
        #expect(Set(identifiers).count == 4000)
    }
}
