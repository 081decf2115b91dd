import Synchronization

/// The same bytes for the same seed, every time. For tests and replays; never for keys that matter.
///
///     let random: any RandomSource = SeededRandom(seed: 7)
public final class SeededRandom: RandomSource {
    private let state: Mutex<UInt64>

    /// Any number will do; a test that fails names its own.
    public init(seed: UInt64) {
        state = Mutex(seed)
    }

    /// The bytes that follow those of the call before.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        state.withLock { state in
            for start in stride(from: 0, to: buffer.count, by: 8) {
                withUnsafeBytes(of: Self.next(&state)) { word in
                    let count = min(word.count, buffer.count - start)
                    buffer[start..<start + count].copyBytes(from: word[..<count])
                }
            }
        }
    }

    /// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
    private static func next(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
