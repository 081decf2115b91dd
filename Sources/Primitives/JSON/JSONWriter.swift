/// Writes JSON straight into bytes, without a tree in between; sets the commas by itself.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.member("sub", "alice")
///     writer.name("aud")
///     writer.beginArray()
///     writer.string("https://api.example")
///     writer.endArray()
///     writer.endObject()
///     let text = writer.takeBytes()           // {"sub":"alice","aud":["https://api.example"]}
///
/// A name given as `StaticString` is copied as it is: it must need no escape. What is opened, closed and named in which
/// order is the caller's to get right.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8]
    // A value has ended here, so whatever comes next in the same array or object is set apart from it.
    private var isAfterValue = false

    package init(reservingCapacity capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Writes on behind what is there, as a fresh value.
    package init(appendingTo bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    /// Hands over what has been written, without a copy, and starts anew.
    package mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        isAfterValue = false
        return taken
    }

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// The name of the member whose value comes next.
    package mutating func name(_ name: StaticString) {
        let separated = isAfterValue
        isAfterValue = false
        write(name.utf8CodeUnitCount + 4) { $0.put(name: name, separated: separated) }
    }

    /// The name of the member whose value comes next, with escapes where it needs them. A literal is taken for a
    /// `StaticString`, which costs less.
    @_disfavoredOverload
    package mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        isAfterValue = false
    }

    package mutating func string(_ value: String) {
        let separated = separate()
        withContiguousUTF8(of: value) { writer, text in
            if separated { writer.bytes.append(UInt8(ascii: ",")) }
            writer.appendQuoted(text)
        }
    }

    package mutating func integer(_ value: Int64) {
        let separated = separate()
        write(Cursor.integerCapacity + 1) { cursor in
            if separated { cursor.put(UInt8(ascii: ",")) }
            cursor.put(integer: value)
        }
    }

    package mutating func number(_ value: JSONNumber) { word(value.literal) }
    package mutating func bool(_ value: Bool) { word(value ? "true" : "false") }
    package mutating func null() { word("null") }

    /// A whole value, as it comes out of ``JSON/init(parsing:limits:)-(Span<UInt8>,_)``.
    package mutating func value(_ value: JSON) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for (name, value) in object {
                self.name(name)
                self.value(value)
            }
            endObject()
        }
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ value: String) {
        let separated = separate()
        withContiguousUTF8(of: value) { writer, text in
            let isPlain = JSONScan.unescapedPrefix(text) == text.count
            writer.write(name.utf8CodeUnitCount + 6 + (isPlain ? text.count : 0)) { cursor in
                cursor.put(name: name, separated: separated)
                if isPlain { cursor.put(quoted: text) }
            }
            if !isPlain { writer.appendQuoted(text) }
        }
    }

    /// A text that is known to need no escape, such as Base64URL, and is not looked at again.
    package mutating func member(_ name: StaticString, plain value: String) {
        let separated = separate()
        withContiguousUTF8(of: value) { writer, text in
            assert(JSONScan.unescapedPrefix(text) == text.count, "a plain text must need no escape")
            writer.write(name.utf8CodeUnitCount + 6 + text.count) { cursor in
                cursor.put(name: name, separated: separated)
                cursor.put(quoted: text)
            }
        }
    }

    package mutating func member(_ name: StaticString, _ value: Int64) {
        let separated = separate()
        write(name.utf8CodeUnitCount + 4 + Cursor.integerCapacity) { cursor in
            cursor.put(name: name, separated: separated)
            cursor.put(integer: value)
        }
    }

    package mutating func member(_ name: StaticString, _ value: Int) {
        member(name, Int64(value))
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    package mutating func member(_ name: StaticString, _ value: JSON) {
        self.name(name)
        self.value(value)
    }
}

extension JSONWriter {
    private mutating func open(_ bracket: UInt8) {
        if isAfterValue { bytes.append(UInt8(ascii: ",")) }
        bytes.append(bracket)
        isAfterValue = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        isAfterValue = true
    }

    /// Whether a comma has to stand before the value that is about to be written.
    private mutating func separate() -> Bool {
        defer { isAfterValue = true }
        return isAfterValue
    }

    /// Text of the grammar itself: a number, a literal name.
    private mutating func word(_ word: String) {
        if separate() { bytes.append(UInt8(ascii: ",")) }
        bytes.append(word)
    }

    private mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
        guard JSONScan.unescapedPrefix(text) < text.count else {
            return write(text.count + 2) { $0.put(quoted: text) }
        }
        // No byte takes more than the six of \u00XX.
        write(text.count * 6 + 2) { $0.put(escaping: text) }
    }

    /// Makes room for `capacity` bytes and lets `body` write there.
    @inline(__always)
    private mutating func write(_ capacity: Int, _ body: (inout Cursor) -> Void) {
        bytes.append(addingCapacity: capacity) { span in
            span.withUnsafeMutableBufferPointer { free, initialized in
                guard let start = free.baseAddress else { return }
                var cursor = Cursor(start + initialized)
                body(&cursor)
                initialized = cursor.position - start
                precondition(initialized <= free.count)
            }
        }
    }

    @inline(__always)
    private mutating func withContiguousUTF8(
        of text: String,
        _ body: (inout JSONWriter, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        text.withUTF8Span { text in text.withUnsafeBufferPointer { body(&self, $0) } }
    }
}
