import Primitives

extension String: RecordValue {
    package func write(to writer: inout RecordWriter) { writer.text(self) }
    package init(from reader: inout RecordReader) throws(RecordError) { self = try reader.text() }
}

extension Int: RecordValue {
    package func write(to writer: inout RecordWriter) { writer.signed(Int64(self)) }

    package init(from reader: inout RecordReader) throws(RecordError) {
        guard let number = Int(exactly: try reader.signed()) else { throw .malformed }
        self = number
    }
}

extension Bool: RecordValue {
    package func write(to writer: inout RecordWriter) { writer.byte(self ? 1 : 0) }
    package init(from reader: inout RecordReader) throws(RecordError) { self = try reader.flag() }
}

extension Timestamp: RecordValue {
    package func write(to writer: inout RecordWriter) { writer.signed(millisecondsSinceEpoch) }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(millisecondsSinceEpoch: try reader.signed())
    }
}

extension ExactText: RecordValue {
    package func write(to writer: inout RecordWriter) { writer.text(text) }
    package init(from reader: inout RecordReader) throws(RecordError) { self.init(try reader.text()) }
}

/// As JSON text; an empty object, which is the usual one, as nothing.
extension JSONObject: RecordValue {
    package func write(to writer: inout RecordWriter) {
        writer.blob(isEmpty ? [] : JSON.object(self).serialised())
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        let bytes = try reader.blob()
        guard !bytes.isEmpty else {
            self.init()
            return
        }
        guard case .object(let object) = try JSON(stored: bytes), !object.isEmpty else { throw .malformed }
        self = object
    }
}

extension JSON: RecordValue {
    package func write(to writer: inout RecordWriter) { writer.blob(serialised()) }
    package init(from reader: inout RecordReader) throws(RecordError) { self = try JSON(stored: reader.blob()) }

    fileprivate init(stored bytes: [UInt8]) throws(RecordError) {
        let limits = JSONLimits(
            bytes: bytes.count, depth: JSONLimits.greatestDepth, stringBytes: bytes.count, numberDigits: bytes.count,
            members: bytes.count)
        do throws(JSONError) { self = try JSON(parsing: bytes.span, limits: limits) } catch { throw .malformed }
    }
}
