import OAuth
import Primitives

extension AuthorizationCode: StoredRecord {
    package func write(to writer: inout RecordWriter) {
        isConsumed.write(to: &writer)
        terms.write(to: &writer)
        writer.optional(redirectURI)
        writer.optional(challenge)
        writer.optional(proofKeyThumbprint)
        hasBegunFamily.write(to: &writer)
        expires.write(to: &writer)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        let isConsumed = try reader.flag()
        self.init(
            terms: try FamilyTerms(from: &reader), redirectURI: try reader.optional(),
            challenge: try reader.optional(), proofKeyThumbprint: try reader.optional(),
            hasBegunFamily: try reader.flag(), expires: try Timestamp(from: &reader))
        self.isConsumed = isConsumed
    }
}
