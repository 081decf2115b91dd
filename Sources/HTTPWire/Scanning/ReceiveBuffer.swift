/// Bytes that have come and are not all done with. Room is made by moving what is left to the front, only when it is
/// little or most of the room is used up.
struct ReceiveBuffer: Sendable {
    private var bytes: [UInt8] = []
    /// How many of the bytes are done with.
    private var consumed = 0

    /// Room that is kept when there is nothing to keep in it: ten thousand connections that sent much once and are silent
    /// now must not hold it all.
    private static let keptCapacity = 8192

    var unreadCount: Int { bytes.count - consumed }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        if consumed == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            consumed = 0
        } else if consumed > 0, consumed >= bytes.count / 2 || bytes.count + more.count > bytes.capacity {
            bytes.removeSubrange(..<consumed)
            consumed = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Gives a reader every byte there is and how many of them are done with, which it moves on.
    @inline(__always)
    mutating func read<Result>(_ reader: (UnsafeBufferPointer<UInt8>, inout Int) -> Result) -> Result {
        var position = consumed
        let result = bytes.withUnsafeBufferPointer { reader($0, &position) }
        consumed = position
        if position == bytes.count, bytes.capacity > Self.keptCapacity { discard() }
        return result
    }

    mutating func discard() {
        bytes = []
        consumed = 0
    }
}
