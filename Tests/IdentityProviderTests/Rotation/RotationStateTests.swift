import IdentityProvider
import OAuth
import Primitives
import Testing

/// The form in which an engine keeps the state of a family.
@Suite struct RotationStateTests {
    /// States as histories make them.
    private static func states(_ text: String, seed: UInt64, count: Int) throws -> [RotationState] {
        let random = SeededRandom(seed: seed)
        var line = try RotationLine(text)
        var states = [RotationState(), line.family.rotation]
        for _ in 0..<count {
            let dice = random.bytes(3)
            line.wait(.milliseconds(Int64(dice[0]) * 20))
            let newest = line.family.rotation.count
            _ = line.present(newest - min(newest - 1, UInt32(dice[1] % 5)))
            line.family.ended = nil
            states.append(line.family.rotation)
        }
        return states
    }

    @Test(arguments: RotationHistoryTests.policies)
    func isReadAsItWasWritten(text: String) throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            for state in try Self.states(text, seed: seed, count: 100) {
                #expect(try RotationState(binary: state.binary) == state)
            }
        }
    }

    @Test func staysAsSmallHoweverOftenItIsRotated() throws {
        var line = RotationLine(.strict)
        #expect(line.present(1) == "2")
        let small = line.family.rotation.binary.count
        for node in 2...100_000 as ClosedRange<UInt32> { _ = line.judge(node) }
        #expect(line.leaves == [100_001])
        // The numbers themselves become longer.
        #expect(line.family.rotation.binary.count <= small + 6)
        #expect(line.family.rotation.binary.count < 40)
    }

    /// Whatever is read has one form: nothing else reads as the same state.
    @Test(arguments: ["strict", "okta", "supabase", "wso2"])
    func nothingIsReadThatWasNotWrittenSo(text: String) throws {
        for state in try Self.states(text, seed: 3, count: 30) {
            let bytes = state.binary
            for index in bytes.indices {
                for bit in 0..<8 {
                    var changed = bytes
                    changed[index] ^= 1 << bit
                    guard let read = try? RotationState(binary: changed) else { continue }
                    #expect(read.binary == changed)
                    #expect(read != state)
                }
            }
        }
    }

    @Test func refusesWhatIsCutOffAnywhere() throws {
        for state in try Self.states("okta", seed: 5, count: 40) {
            let bytes = state.binary
            for length in bytes.indices {
                #expect(throws: RecordError.malformed) {
                    try RotationState(binary: Array(bytes[..<length]))
                }
            }
            #expect(throws: RecordError.malformed) { try RotationState(binary: bytes + [0]) }
        }
    }

    @Test func refusesTheFormOfALaterProgram() {
        for version in [0, 3, 255] as [UInt8] {
            #expect(throws: RecordError.unknownVersion(version)) {
                try RotationState(binary: [version] + RotationState().binary.dropFirst())
            }
        }
    }

    /// Version, flags, count, number of leaves, each with node, parent and moment, number of spent ones, each with node,
    /// (from the second version on) parent, successor, moment, replays and flags.
    @Test(
        arguments: [
            [1, 4, 0, 0, 0],
            [1, 0, 0x80, 0, 0, 0],
            [1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0],
            [1, 0, 1, 1, 2, 1, 0, 0],
            [1, 0, 1, 1, 1, 1, 0, 0],
            [1, 0, 2, 2, 2, 1, 0, 1, 0, 0, 0],
            [1, 0, 2, 2, 2, 1, 0, 2, 1, 0, 0],
            [1, 0, 2, 1, 2, 1, 0, 1, 2, 2, 0, 0, 0],
            [1, 0, 2, 1, 2, 1, 0, 1, 0, 2, 0, 0, 0],
            [1, 0, 2, 1, 2, 1, 0, 1, 1, 3, 0, 0, 0],
            [1, 0, 2, 1, 2, 1, 0, 1, 1, 2, 0, 0, 4],
            [1, 0, 2, 1, 2, 1, 0, 1, 1, 2, 0, 0x80, 0x80, 4, 0],
            [1, 0, 9, 17],
            [2, 8, 0, 0, 0],
            [2, 0, 2, 1, 2, 1, 0, 1, 1, 1, 2, 0, 0, 0],
        ] as [[UInt8]])
    func refusesWhatNoLineCanBe(bytes: [UInt8]) {
        #expect(throws: RecordError.malformed) { try RotationState(binary: bytes) }
    }

    @Test func readsTheLeastAndTheMostOfEachNumber() throws {
        let line = [2, 7, 2, 0x7F, 0x80, 0x01, 1, 2, 1, 1, 1, 1, 0, 2, 0, 0xFF, 0xFF, 3, 3] as [UInt8]
        let state = try RotationState(binary: line)
        #expect(state.count == 2)
        #expect(state.lastUsedAt == Timestamp(millisecondsSinceEpoch: -64))
        #expect(state.rotatedAt == Timestamp(millisecondsSinceEpoch: 64))
        #expect(state.leaves.map(\.given) == [Timestamp(millisecondsSinceEpoch: -1)])
        #expect(state.spent.first?.replays == .max)
        #expect(state.spent.first?.isSuccessorUsed == true && state.spent.first?.isSuccessorSpent == true)
        #expect(state.isLine)
        #expect(state.binary == line)
    }

    /// What an older program has kept says nothing of forks.
    @Test func readsTheFirstForm() throws {
        let state = try RotationState(binary: [1, 0, 3, 1, 3, 2, 0, 1, 2, 3, 0, 5, 3])
        #expect(!state.isLine && state.leaves.map(\.parent) == [2])
        #expect(state.spent.map(\.node) == [2] && state.spent.map(\.parent) == [0])
        #expect(state.spent.map(\.replays) == [5])
        #expect(try RotationState(binary: state.binary) == state)
    }

    @Test func refusesMoreThanAStateCanBe() {
        #expect(throws: RecordError.malformed) {
            try RotationState(binary: [2] + [UInt8](repeating: 0, count: RotationState.maximumByteCount))
        }
    }
}
