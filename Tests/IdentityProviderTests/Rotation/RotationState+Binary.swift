import IdentityProvider

/// The state as it stands in a record, without its length.
extension RotationState {
    var binary: [UInt8] {
        var writer = RecordWriter()
        write(to: &writer)
        var reader = RecordReader(writer.bytes)
        return (try? reader.blob()) ?? []
    }

    init(binary: [UInt8]) throws(RecordError) {
        var writer = RecordWriter()
        writer.blob(binary)
        var reader = RecordReader(writer.bytes)
        try self.init(from: &reader)
        guard reader.isAtEnd else { throw .malformed }
    }
}
