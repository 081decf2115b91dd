import Primitives

/// Whose a user code is (RFC 8628).
package struct UserCodeRecord: KeptRecord {
    package let device: TokenDigest
    package let expires: Timestamp

    package init(device: TokenDigest, expires: Timestamp) {
        self.device = device
        self.expires = expires
    }

    package var forgettable: Timestamp? { expires }

    /// Gives a code to a device; `false` when it is another's.
    package static func take(
        _ taken: inout UserCodeRecord?, for device: TokenDigest, until expires: Timestamp, at now: Timestamp
    ) -> Bool {
        if let taken, taken.expires > now { return false }
        taken = UserCodeRecord(device: device, expires: expires)
        return true
    }

    package func write(to writer: inout RecordWriter) {
        device.write(to: &writer)
        expires.write(to: &writer)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        device = try TokenDigest(from: &reader)
        expires = try Timestamp(from: &reader)
    }
}
