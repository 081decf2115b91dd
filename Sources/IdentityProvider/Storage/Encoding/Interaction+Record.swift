import OAuth
import Primitives

extension Interaction: StoredRecord {
    package func write(to writer: inout RecordWriter) {
        writer.text(id.text)
        purpose.write(to: &writer)
        writer.optional(browser)
        progress.write(to: &writer)
        began.write(to: &writer)
        expires.write(to: &writer)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        let id = InteractionID(try reader.text())
        let purpose = try Purpose(from: &reader)
        let browser = try reader.optional(TokenDigest.self)
        let progress = try Progress(from: &reader)
        self.init(
            id: id, purpose: purpose, browser: browser, began: try Timestamp(from: &reader),
            expires: try Timestamp(from: &reader))
        self.progress = progress
    }
}

extension Interaction.Purpose: RecordValue {
    package func write(to writer: inout RecordWriter) {
        switch self {
        case .authorization(let request):
            writer.byte(1)
            request.write(to: &writer)
        case .page(let target):
            writer.byte(2)
            writer.text(target)
        }
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        switch try reader.byte() {
        case 1: self = .authorization(try AuthorizationRequest(from: &reader))
        case 2: self = .page(try reader.text())
        default: throw .malformed
        }
    }
}

extension Interaction.Progress: RecordValue {
    package func write(to writer: inout RecordWriter) {
        writer.optional(authenticated)
        writer.optional(account)
        writer.optional(consent)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init()
        authenticated = try reader.optional()
        account = try reader.optional()
        consent = try reader.optional()
    }
}

extension Interaction.Consent: RecordValue {
    package func write(to writer: inout RecordWriter) {
        writer.text(userID)
        scope.write(to: &writer)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(userID: try reader.text(), scope: try Scope(from: &reader))
    }
}
