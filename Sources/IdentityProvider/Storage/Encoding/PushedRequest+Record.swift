import OAuth
import Primitives

extension PushedRequest: StoredRecord {
    package func write(to writer: inout RecordWriter) {
        writer.text(clientID)
        parameters.write(to: &writer)
        expires.write(to: &writer)
        writer.optional(clientStay)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            clientID: try reader.text(), parameters: try FormParameters(from: &reader),
            expires: try Timestamp(from: &reader), clientStay: try reader.optional())
    }
}
