#if !canImport(CryptoKit)
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// OpenSSL contexts that are ready for use, lent to one caller at a time.
///
/// A context must not be used by two threads at once, and making one costs more than many an operation it is made
/// for. Each thread looks into a slot of its own first, so that threads seldom meet; the slots are bounded and what
/// does not fit is freed. Nothing here waits.
final class ContextPool: Sendable {
    private struct Slot: ~Copyable {
        let context = Atomic<OpaquePointer?>(nil)
        // A cache line to itself, so that neighbours do not slow each other down.
        private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)
    }

    /// A power of two; more threads than this share slots and still never wait.
    private static let slotCount = 16

    private nonisolated(unsafe) let slots: UnsafeMutablePointer<Slot>
    private let free: @Sendable @convention(c) (OpaquePointer?) -> Void

    init(free: @escaping @Sendable @convention(c) (OpaquePointer?) -> Void) {
        self.free = free
        slots = .allocate(capacity: Self.slotCount)
        for index in 0..<Self.slotCount { (slots + index).initialize(to: Slot()) }
    }

    deinit {
        for index in 0..<Self.slotCount {
            if let context = slots[index].context.load(ordering: .acquiring) { free(context) }
        }
        slots.deinitialize(count: Self.slotCount)
        slots.deallocate()
    }

    /// A context that nobody else holds, if one is at rest.
    func take() -> OpaquePointer? {
        let first = Self.slotOfThisThread()
        for step in 0..<Self.slotCount {
            let slot = slots + ((first + step) & (Self.slotCount - 1))
            if let context = slot.pointee.context.exchange(nil, ordering: .acquiring) { return context }
        }
        return nil
    }

    /// Gives a context back. One that failed in use must be freed by the caller instead.
    func give(_ context: OpaquePointer) {
        let slot = slots + Self.slotOfThisThread()
        let (placed, _) = slot.pointee.context.compareExchange(expected: nil, desired: context, ordering: .releasing)
        if !placed { free(context) }
    }

    private static func slotOfThisThread() -> Int {
        // The addresses of two threads differ in their upper bits: multiply them down into the slot number.
        let mixed = UInt64(UInt(bitPattern: threadAddress())) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed >> 60) & (slotCount - 1)
    }

    private static func threadAddress() -> Int {
        Int(bitPattern: UInt(pthread_self()))
    }
}
#endif
