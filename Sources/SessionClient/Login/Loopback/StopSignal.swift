#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Wakes a thread that waits in `poll`. Both ends live as long as anybody holds it, so nobody ever writes into a descriptor
/// that has become another's.
final class StopSignal: Sendable {
    /// Readable once it was sent.
    let descriptor: Int32
    private let writing: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (descriptor, writing) = (ends[0], ends[1])
        guard Descriptor.prepare(descriptor), Descriptor.prepare(writing) else { return nil }
    }

    deinit {
        _ = close(descriptor)
        _ = close(writing)
    }

    func send() {
        var byte: UInt8 = 1
        // A pipe that is full has been read by nobody, and is readable all the same.
        _ = write(writing, &byte, 1)
    }
}
