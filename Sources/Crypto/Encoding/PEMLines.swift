/// The lines of a PEM text, without what ends them and without white space at their ends.
struct PEMLines {
    struct Line {
        let bytes: UnsafeRawBufferPointer.SubSequence

        /// What stands between `boundary` and the closing dashes, if this is such a line.
        func label(after boundary: StaticString) -> String? {
            let closing: StaticString = "-----"
            let start = UnsafeRawBufferPointer(start: boundary.utf8Start, count: boundary.utf8CodeUnitCount)
            let end = UnsafeRawBufferPointer(start: closing.utf8Start, count: closing.utf8CodeUnitCount)
            guard bytes.count >= start.count + end.count, bytes.starts(with: start),
                bytes.suffix(end.count).elementsEqual(end)
            else { return nil }
            let label = bytes.dropFirst(start.count).dropLast(end.count)
            return String(validating: label, as: UTF8.self)
        }
    }

    private var rest: UnsafeRawBufferPointer.SubSequence

    init(_ text: UnsafeRawBufferPointer) {
        rest = text[...]
    }

    /// Whether a block begins anywhere in what is left.
    var containBoundary: Bool {
        var lines = self
        while let line = lines.next() {
            if line.label(after: "-----BEGIN ") != nil { return true }
        }
        return false
    }

    mutating func nextWithContent() -> Line? {
        while let line = next() {
            if !line.bytes.isEmpty { return line }
        }
        return nil
    }

    /// Lines end in LF, CR or both (RFC 7468 section 3); `nil` after the last.
    mutating func next() -> Line? {
        guard !rest.isEmpty else { return nil }
        let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
        rest = rest[line.endIndex...]
        if rest.first == 0x0D { rest.removeFirst() }
        if rest.first == 0x0A { rest.removeFirst() }
        var trimmed = line
        while let last = trimmed.last, last == 0x20 || last == 0x09 { trimmed.removeLast() }
        while let first = trimmed.first, first == 0x20 || first == 0x09 { trimmed.removeFirst() }
        return Line(bytes: trimmed)
    }
}
