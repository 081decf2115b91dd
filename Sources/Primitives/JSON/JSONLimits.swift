/// How much a JSON text may ask of its reader (RFC 8259 section 9 lets a reader set such limits).
package struct JSONLimits: Hashable, Sendable {
    /// No depth limit may exceed this: the reader descends on the stack of a thread.
    package static let greatestDepth = 512

    /// Bytes of the whole text.
    package var bytes: Int
    /// Arrays and objects within one another; a lone `[]` is one.
    package var depth: Int {
        didSet { precondition(depth <= Self.greatestDepth) }
    }
    /// Bytes between the quotation marks of one string or name, as they are written.
    package var stringBytes: Int
    /// Bytes of one number: its sign, digits, point and exponent.
    package var numberDigits: Int
    /// Members of one object, and elements of one array.
    package var members: Int

    package init(
        bytes: Int = 1 << 20,
        depth: Int = 64,
        stringBytes: Int = 1 << 18,
        numberDigits: Int = 128,
        members: Int = 10_000
    ) {
        precondition(depth <= Self.greatestDepth)
        self.bytes = bytes
        self.depth = depth
        self.stringBytes = stringBytes
        self.numberDigits = numberDigits
        self.members = members
    }

    /// 1 MiB, 64 deep, 256 KiB per string, 128 bytes per number, 10 000 members.
    package static let standard = JSONLimits()
}
