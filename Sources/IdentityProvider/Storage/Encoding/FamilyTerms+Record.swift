import OAuth
import Primitives

extension FamilyTerms: StoredRecord {
    package func write(to writer: inout RecordWriter) {
        id.write(to: &writer)
        writer.text(clientID)
        writer.text(userID)
        scope.write(to: &writer)
        writer.list(resources)
        writer.optional(loginID)
        endsWithLogin.write(to: &writer)
        writer.optional(authentication)
        writer.optional(nonce)
        writer.optional(claimsRequest)
        loginClaims.write(to: &writer)
        writer.optional(confirmation)
        writer.optional(actor)
        began.write(to: &writer)
        writer.optional(expires)
        writer.optional(stays)
        writer.optional(origin)
    }

    package convenience init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            id: try FamilyID(from: &reader),
            clientID: try reader.text(),
            userID: try reader.text(),
            scope: try Scope(from: &reader),
            resources: try reader.list(),
            loginID: try reader.optional(),
            endsWithLogin: try reader.flag(),
            authentication: try reader.optional(),
            nonce: try reader.optional(),
            claimsRequest: try reader.optional(),
            loginClaims: try JSONObject(from: &reader),
            confirmation: try reader.optional(),
            actor: try reader.optional(),
            began: try Timestamp(from: &reader),
            expires: try reader.optional(),
            stays: try reader.optional(),
            origin: try reader.optional())
    }
}

extension Stays: RecordValue {
    package func write(to writer: inout RecordWriter) {
        user.write(to: &writer)
        client.write(to: &writer)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(user: try Int(from: &reader), client: try Int(from: &reader))
    }
}
