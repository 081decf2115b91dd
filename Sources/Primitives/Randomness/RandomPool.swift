import Synchronization

/// Random bytes that the system has given and that nobody has had yet.
package final class RandomPool: Sendable {
    package static let shared = RandomPool { SystemRandom.fillDirectly($0) }

    /// More than this at once is worth a call of its own.
    package static let largestShare = 64
    package static let byteCount = 1024

    private struct State {
        var bytes = [UInt8](repeating: 0, count: RandomPool.byteCount)
        /// Those before it have been given.
        var next = RandomPool.byteCount
    }

    private let state = Mutex(State())
    private let refill: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    package init(refill: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) {
        self.refill = refill
    }

    package func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count <= Self.largestShare, "a share that the pool holds")
        state.withLock { state in
            let next = state.next + buffer.count <= Self.byteCount ? state.next : 0
            state.bytes.withUnsafeMutableBytes { bytes in
                // What a share too large has left over stays unused.
                if next == 0 { refill(bytes) }
                let share = UnsafeMutableRawBufferPointer(rebasing: bytes[next..<next + buffer.count])
                buffer.copyMemory(from: UnsafeRawBufferPointer(share))
                wipe(share)
            }
            state.next = next + buffer.count
        }
    }
}
