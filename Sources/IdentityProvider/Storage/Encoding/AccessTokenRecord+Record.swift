import OAuth
import Primitives

extension AccessTokenRecord: StoredRecord {
    package func write(to writer: inout RecordWriter) {
        writer.text(facts.identifier)
        writer.text(facts.clientID)
        writer.text(facts.subject)
        writer.optional(facts.familyID)
        facts.scope.write(to: &writer)
        writer.list(facts.audience)
        facts.issuedAt.write(to: &writer)
        facts.expires.write(to: &writer)
        writer.optional(facts.confirmation)
        facts.claims.write(to: &writer)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            AccessTokenFacts(
                identifier: try reader.text(), clientID: try reader.text(), subject: try reader.text(),
                familyID: try reader.optional(), scope: try Scope(from: &reader), audience: try reader.list(),
                issuedAt: try Timestamp(from: &reader), expires: try Timestamp(from: &reader),
                confirmation: try reader.optional(), claims: try JSONObject(from: &reader)))
    }
}

extension Confirmation: RecordValue {
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .proofKey(let thumbprint):
            writer.byte(1)
            writer.text(thumbprint)
        case .certificate(let thumbprint):
            writer.byte(2)
            writer.text(thumbprint)
        }
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.byte() {
        case 1: self = .proofKey(thumbprint: try reader.text())
        case 2: self = .certificate(thumbprint: try reader.text())
        default: throw .malformed
        }
    }
}
