import Primitives

/// Of what only its end has to be known.
package struct ExpiryRecord: KeptRecord {
    package let moment: Timestamp

    package init(_ moment: Timestamp) {
        self.moment = moment
    }

    package var forgettable: Timestamp? { moment }

    /// Notes a use that holds until `expiry`. `false`: one that was noted before still holds.
    package static func spend(_ spent: inout ExpiryRecord?, until expiry: Timestamp, at now: Timestamp) -> Bool {
        if let spent, spent.moment > now { return false }
        spent = ExpiryRecord(expiry)
        return true
    }

    package func write(to writer: inout RecordWriter) { moment.write(to: &writer) }
    package init(from reader: inout RecordReader) throws(RecordError) { moment = try Timestamp(from: &reader) }
}
