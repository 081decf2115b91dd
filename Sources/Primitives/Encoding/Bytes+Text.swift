extension [UInt8] {
    /// Appends the UTF-8 of a literal.
    @inlinable
    package mutating func append(_ literal: StaticString) {
        appendCopy(of: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends the UTF-8 of a text. A literal is taken for a `StaticString`, which costs less.
    ///
    ///     var line: [UInt8] = []
    ///     line.append("GET ")
    ///     line.append(path)
    ///
    /// In place of `append(contentsOf: text.utf8)`, which takes hold of the text, and copies it by way of an iterator.
    @inlinable
    @_disfavoredOverload
    package mutating func append(_ text: String) {
        text.withUTF8Span { append($0) }
    }

    /// Appends bytes that somebody else has.
    @inlinable
    package mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { appendCopy(of: $0) }
    }

    @inlinable
    mutating func appendCopy(of bytes: UnsafeBufferPointer<UInt8>) {
        append(addingCapacity: bytes.count) { room in
            room.withUnsafeMutableBufferPointer { free, initialized in
                _ = free[initialized...].update(fromContentsOf: bytes)
                initialized += bytes.count
            }
        }
    }
}
