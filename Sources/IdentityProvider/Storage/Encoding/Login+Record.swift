import OAuth
import Primitives

extension Login: StoredRecord {
    package func write(to writer: inout RecordWriter) {
        id.write(to: &writer)
        writer.text(userID)
        writer.optional(userStay)
        authentication.write(to: &writer)
        claims.write(to: &writer)
        writer.list(clientIDs)
        writer.number(UInt64(issuers.count))
        for (client, issuer) in issuers.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            writer.text(client)
            writer.text(issuer)
        }
        expires.write(to: &writer)
        neededUntil.write(to: &writer)
        writer.optional(ended)
        writer.optional(secretDigest)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        let id = try LoginID(from: &reader)
        let userID = try reader.text()
        let userStay = try reader.optional(Int.self)
        let authentication = try Authentication(from: &reader)
        let claims = try JSONObject(from: &reader)
        let clientIDs = try reader.list(String.self)
        var issuers: [String: String] = [:]
        var former: String?
        for _ in 0..<(try reader.number(UInt32.self)) {
            let client = try reader.text()
            guard former.map({ $0.utf8.lexicographicallyPrecedes(client.utf8) }) ?? true else { throw .malformed }
            former = client
            issuers[client] = try reader.text()
        }
        self.init(
            id: id, userID: userID, authentication: authentication, claims: claims,
            expires: try Timestamp(from: &reader))
        self.userStay = userStay
        self.clientIDs = clientIDs
        self.issuers = issuers
        neededUntil = try Timestamp(from: &reader)
        ended = try reader.optional()
        secretDigest = try reader.optional()
    }
}

extension LoginID: RecordValue {
    package func write(to writer: inout RecordWriter) { writer.text(text) }
    package init(from reader: inout RecordReader) throws(RecordError) { self.init(try reader.text()) }
}

extension TokenDigest: RecordValue {
    package func write(to writer: inout RecordWriter) { writer.raw(bytes) }

    package init(from reader: inout RecordReader) throws(RecordError) {
        guard let digest = Self(bytes: try reader.raw(Self.byteCount)) else { throw .malformed }
        self = digest
    }
}

extension Authentication: RecordValue {
    package func write(to writer: inout RecordWriter) {
        moment.write(to: &writer)
        writer.list(methods)
        writer.optional(contextClass)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            at: try Timestamp(from: &reader), methods: try reader.list(), contextClass: try reader.optional())
    }
}
