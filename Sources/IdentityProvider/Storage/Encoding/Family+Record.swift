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

extension Family {
    /// What was authorised is most of it, and stays as it is: it is copied.
    package func encoded(inPlaceOf former: Self, written bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard terms === former.terms, let writtenTerms = Self.lasting(in: bytes) else { return encoded }
        var writer = RecordWriter()
        writer.byte(Self.recordVersion)
        rotation.write(to: &writer)
        writer.optional(ended)
        writer.raw(writtenTerms)
        return writer.bytes
    }

    /// What was authorised.
    package static func lasting(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var reader = RecordReader(bytes)
        do throws(RecordError) {
            guard try reader.byte() == recordVersion else { return nil }
            try reader.passMeasured()
            _ = try reader.optional(Ending.self)
            return reader.rest
        } catch {
            return nil
        }
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
    package func write(to writer: inout RecordWriter) {
        writer.word(high)
        writer.word(low)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(high: try reader.word(), low: try reader.word())
    }
}
