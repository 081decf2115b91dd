import HTTPMessages

/// Finds the field lines of a header or trailer section (RFC 9112 section 5), one at a time, and can stop at any
/// byte. It looks at every byte once and in order, so that what it finds does not depend on how the bytes came.
struct FieldLineScanner: Sendable {
    /// Where the parts of a line are, counted from its beginning.
    struct Line {
        var nameEnd: Int
        /// Without the white space around it.
        var value: Range<Int>
        /// With its CRLF.
        var byteCount: Int
    }

    enum Outcome {
        case needsMore
        case line(Line)
        /// The empty line that ends the section.
        case end
    }

    private enum Phase: UInt8 {
        case start, name, value, lineFeed, finalLineFeed
    }

    private var phase = Phase.start
    /// Bytes of the line already looked at.
    private var scanned = 0
    private var nameEnd = 0

    /// - Parameter bytes: from the beginning of the line to the last byte there is.
    @inline(__always)
    mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) throws(WireError) -> Outcome {
        var index = scanned
        defer { scanned = index }
        if phase == .start {
            guard index < bytes.count else { return .needsMore }
            let byte = bytes[index]
            if byte == ASCII.carriageReturn {
                index += 1
                phase = .finalLineFeed
            } else {
                // RFC 9112 section 5.2: a server refuses a folded line, or white space before the first field.
                guard !byte.isBlank else { throw .foldedLine }
                phase = .name
            }
        }
        if phase == .finalLineFeed {
            guard index < bytes.count else { return .needsMore }
            guard bytes[index] == ASCII.lineFeed else { throw .bareCarriageReturn }
            phase = .start
            index = 0
            return .end
        }
        if phase == .name {
            while index < bytes.count, bytes[index].isTokenByte { index += 1 }
            guard index < bytes.count else { return .needsMore }
            guard bytes[index] == ASCII.colon, index > 0 else { throw Self.nameError(bytes[index]) }
            nameEnd = index
            index += 1
            phase = .value
        }
        if phase == .value {
            index = ByteRun.endOfFieldContent(bytes, from: index)
            guard index < bytes.count else { return .needsMore }
            guard bytes[index] == ASCII.carriageReturn else {
                throw bytes[index] == ASCII.lineFeed ? .bareLineFeed : .controlByte
            }
            index += 1
            phase = .lineFeed
        }
        guard index < bytes.count else { return .needsMore }
        guard bytes[index] == ASCII.lineFeed else { throw .bareCarriageReturn }
        var start = nameEnd + 1
        var end = index - 1
        let byteCount = index + 1
        while start < end, bytes[start].isBlank { start += 1 }
        while end > start, bytes[end - 1].isBlank { end -= 1 }
        phase = .start
        index = 0
        return .line(Line(nameEnd: nameEnd, value: start..<end, byteCount: byteCount))
    }

    /// RFC 9112 section 5.1: no white space between the name and the colon.
    private static func nameError(_ byte: UInt8) -> WireError {
        switch byte {
        case ASCII.space, ASCII.tab: .spaceBeforeColon
        case ASCII.lineFeed: .bareLineFeed
        default: .badFieldName
        }
    }
}
