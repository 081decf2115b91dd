import OAuth
import Primitives

extension RememberedConsent: StoredRecord {
    package func write(to writer: inout RecordWriter) { writer.list(entries) }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(entries: try reader.list())
        guard entries.count <= Self.maximumResourceCount else { throw .malformed }
    }
}

extension RememberedConsent.Entry: RecordValue {
    package func write(to writer: inout RecordWriter) {
        writer.optional(resource)
        scope.write(to: &writer)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(resource: try reader.optional(), scope: try Scope(from: &reader))
    }
}
