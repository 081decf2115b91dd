import IdentityProvider
import Primitives

/// Of what only its end has to be known.
struct ExpiryRecord: StoredRecord {
    let moment: Timestamp

    init(_ moment: Timestamp) {
        self.moment = moment
    }

    func write(to writer: inout RecordWriter) { moment.write(to: &writer) }
    init(from reader: inout RecordReader) throws(RecordError) { moment = try Timestamp(from: &reader) }
}

/// Whose a user code is.
struct UserCodeRecord: StoredRecord {
    let device: TokenDigest
    let expires: Timestamp

    init(device: TokenDigest, expires: Timestamp) {
        self.device = device
        self.expires = expires
    }

    func write(to writer: inout RecordWriter) {
        device.write(to: &writer)
        expires.write(to: &writer)
    }

    init(from reader: inout RecordReader) throws(RecordError) {
        device = try TokenDigest(from: &reader)
        expires = try Timestamp(from: &reader)
    }
}
