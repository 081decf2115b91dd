/// Bytes that wait for the socket to take them. The room is used again for the next ones.
package struct OutputBuffer {
    /// What is written is appended here.
    package var bytes: [UInt8] = []
    private var sent = 0

    /// Room that is kept for the next response; more is given back.
    package static let keptCapacity = 64 << 10

    package init() {}

    package var pendingCount: Int { bytes.count - sent }

    package func withPending<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
    }

    /// Takes note that the socket took `count` bytes. What it took is not kept, even if something always waits: a
    /// client may ask without end and read slowly.
    package mutating func consume(_ count: Int) {
        sent += count
        if sent == bytes.count {
            sent = 0
            if bytes.capacity > Self.keptCapacity { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        } else if sent >= Self.keptCapacity, sent >= pendingCount {
            // At most as many are moved as were sent.
            bytes = Array(bytes[sent...])
            sent = 0
        }
    }

    package mutating func discard() {
        bytes = []
        sent = 0
    }
}
