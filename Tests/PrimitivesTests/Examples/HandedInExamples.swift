import Dispatch
import Primitives
import Testing

/// The examples of the documentation: times, clocks, alarms and random sources, of ours and of others.
@Suite struct HandedInExamples {
    struct StoppedClock: WallClock {
        func now() -> Timestamp { Timestamp(secondsSinceEpoch: 1_700_000_000) }
    }

    struct QueueAlarm: Alarm {
        func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
            DispatchQueue.global().asyncAfter(deadline: .now() + delay / .seconds(1), execute: body)
        }
    }

    struct Zeros: RandomSource {
        func fill(_ buffer: UnsafeMutableRawBufferPointer) { buffer.initializeMemory(as: UInt8.self, repeating: 0) }
    }

    @Test func times() {
        let issued = Timestamp(secondsSinceEpoch: 1_700_000_000)
        let expires = issued + .seconds(300)
        #expect(expires - issued == .seconds(300))
    }

    @Test func clocks() {
        let clock: any WallClock = SystemWallClock()
        let deadline = clock.now() + .seconds(60)
        #expect(deadline > StoppedClock().now())
    }

    @Test func clocksThatAreMoved() {
        let clock = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000))
        clock.advance(by: .seconds(30))
        clock.set(to: Timestamp(secondsSinceEpoch: 1_800_000_000))
        #expect(clock.now().secondsSinceEpoch == 1_800_000_000)
    }

    @Test func alarms() async {
        await withCheckedContinuation { continuation in
            QueueAlarm().ring(after: .zero) { continuation.resume() }
        }
    }

    @Test func randomSources() {
        #expect(Self.bytes(from: Zeros()) == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(Self.bytes(from: SeededRandom(seed: 7)) == Self.bytes(from: Self.seeded()))
        let random: any RandomSource = SystemRandom()
        #expect(Self.bytes(from: random) != Self.bytes(from: random))
    }

    private static func seeded() -> any RandomSource {
        let random: any RandomSource = SeededRandom(seed: 7)
        return random
    }

    private static func bytes(from random: any RandomSource) -> [UInt8] {
        var bytes = [UInt8](repeating: 1, count: 8)
        bytes.withUnsafeMutableBytes { random.fill($0) }
        return bytes
    }
}
