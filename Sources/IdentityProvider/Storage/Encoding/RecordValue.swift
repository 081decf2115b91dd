/// A value that can be part of what an engine keeps.
package protocol RecordValue {
    func write(to writer: inout RecordWriter)
    init(from reader: inout RecordReader) throws(RecordError)
}

/// What an engine keeps under one key.
///
///     let bytes = login.encoded
///     let same = try Login(encoded: bytes)
package protocol StoredRecord: RecordValue, Sendable {
    /// Stands in the first byte. Grows when older programs cannot read what newer ones write.
    static var recordVersion: UInt8 { get }
}

extension StoredRecord {
    package static var recordVersion: UInt8 { 1 }

    package var encoded: [UInt8] {
        var writer = RecordWriter()
        writer.byte(Self.recordVersion)
        write(to: &writer)
        return writer.bytes
    }

    package init(encoded bytes: [UInt8]) throws(RecordError) { try self.init(encoded: bytes[...]) }

    package init(encoded bytes: ArraySlice<UInt8>) throws(RecordError) {
        var reader = RecordReader(bytes)
        let version = try reader.byte()
        guard version == Self.recordVersion else { throw .unknownVersion(version) }
        try self.init(from: &reader)
        guard reader.isAtEnd else { throw .malformed }
    }
}
