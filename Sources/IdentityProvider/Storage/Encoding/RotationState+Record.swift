/// As the compact form that rotation has of its own, behind its length.
extension RotationState: RecordValue {
    package func write(to writer: inout RecordWriter) { writer.blob(binary) }

    package init(from reader: inout RecordReader) throws(RecordError) {
        let bytes = try reader.blob()
        do throws(BinaryError) { try self.init(binary: bytes) } catch { throw .malformed }
    }
}
