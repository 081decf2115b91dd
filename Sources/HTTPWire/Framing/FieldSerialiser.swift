import HTTPMessages
import Primitives

/// Writes field lines for requests, responses and trailers alike.
enum FieldSerialiser {
    /// Appends the fields, except those that frame the message or steer the connection: these are the serialiser's own.
    static func append(
        _ fields: HTTPFields, to output: inout [UInt8], except isOwn: (HTTPField.Name) -> Bool
    ) throws(SerialiserError) {
        for field in fields where !isOwn(field.name) {
            output.append(field.name.rawName)
            output.append(": ")
            let start = output.count
            output.append(field.value)
            guard isFieldValue(output, from: start) else { throw .controlByte }
            output.append("\r\n")
        }
    }

    /// Whether the bytes hold nothing that would end a field line or could not stand in it.
    @inline(__always)
    static func isFieldValue(_ bytes: [UInt8], from start: Int) -> Bool {
        bytes.withUnsafeBufferPointer { ByteRun.endOfFieldContent($0, from: start) == $0.count }
    }
}
