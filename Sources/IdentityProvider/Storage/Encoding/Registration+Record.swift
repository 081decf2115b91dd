import Primitives

extension Registration: StoredRecord {
    package func write(to writer: inout RecordWriter) {
        writer.text(clientID)
        stay.write(to: &writer)
        revision.write(to: &writer)
        secretNumber.write(to: &writer)
        accessTokenDigest.write(to: &writer)
        registered.write(to: &writer)
        metadata.write(to: &writer)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            clientID: try reader.text(), stay: try Int(from: &reader), revision: try Int(from: &reader),
            secretNumber: try Int(from: &reader),
            accessTokenDigest: try TokenDigest(from: &reader), registered: try Timestamp(from: &reader),
            metadata: try JSONObject(from: &reader))
    }
}
