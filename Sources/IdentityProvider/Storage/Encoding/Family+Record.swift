import OAuth
import Primitives

/// What changes comes first, so that whoever looks for it need not read what was authorised.
extension Family: StoredRecord {
    package func write(to writer: inout RecordWriter) {
        rotation.write(to: &writer)
        writer.optional(ended)
        terms.write(to: &writer)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        let rotation = try RotationState(from: &reader)
        let ended = try reader.optional(Ending.self)
        self.init(try FamilyTerms(from: &reader))
        self.rotation = rotation
        self.ended = ended
    }
}

extension Family.Ending: RecordValue {
    package func write(to writer: inout RecordWriter) {
        writer.text(reason.rawValue)
        moment.write(to: &writer)
        writer.byte(reach.rawValue)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        let text = try reader.text()
        guard let reason = Family.Reason.allCases.first(where: { sameText($0.rawValue, text) }) else {
            throw .malformed
        }
        let moment = try Timestamp(from: &reader)
        guard let reach = Family.Reach(rawValue: try reader.byte()) else { throw .malformed }
        self.init(reason, at: moment, reach: reach)
    }
}

extension FamilyID: RecordValue {
    package func write(to writer: inout RecordWriter) { writer.raw(bytes) }

    package init(from reader: inout RecordReader) throws(RecordError) {
        guard let id = Self(bytes: try reader.raw(Self.byteCount)) else { throw .malformed }
        self = id
    }
}
