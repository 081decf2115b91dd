import OAuth
import Primitives

extension DeviceAuthorization: StoredRecord {
    package func write(to writer: inout RecordWriter) {
        writer.text(clientID)
        writer.optional(clientStay)
        writer.text(userCode)
        scope.write(to: &writer)
        writer.list(resources)
        writer.optional(confirmation)
        expires.write(to: &writer)
        decision.write(to: &writer)
        // A device waits in whole milliseconds.
        writer.signed(interval.inMilliseconds)
        writer.optional(lastPoll)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        let clientID = try reader.text()
        let clientStay = try reader.optional(Int.self)
        let userCode = try reader.text()
        let scope = try Scope(from: &reader)
        let resources = try reader.list(String.self)
        let confirmation = try reader.optional(Confirmation.self)
        let expires = try Timestamp(from: &reader)
        let decision = try Decision(from: &reader)
        self.init(
            clientID: clientID, userCode: userCode, scope: scope, resources: resources, confirmation: confirmation,
            interval: .milliseconds(try reader.signed()), expires: expires,
            clientStay: clientStay)
        self.decision = decision
        lastPoll = try reader.optional()
    }
}

extension DeviceAuthorization.Decision: RecordValue {
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .pending: writer.byte(0)
        case .denied: writer.byte(1)
        case .approved(let terms):
            writer.byte(2)
            terms.write(to: &writer)
        case .redeemed: writer.byte(3)
        }
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.byte() {
        case 0: self = .pending
        case 1: self = .denied
        case 2: self = .approved(try FamilyTerms(from: &reader))
        case 3: self = .redeemed
        default: throw .malformed
        }
    }
}
