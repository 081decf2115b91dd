import HTTPMessages
import Primitives

/// Writes field lines for requests, responses and trailers alike.
enum FieldSerialiser {
    /// Appends the fields, except those that frame the message or steer the connection: these are the serialiser's own.
    static func append(
        _ fields: HTTPFields, to output: inout [UInt8], except isOwn: (HTTPField.Name) -> Bool
    ) throws(SerialiserError) {
        for field in fields where !isOwn(field.name) {
            try field.value.withUTF8Span { value throws(SerialiserError) in
                guard isFieldValue(value) else { throw .controlByte }
                field.name.rawName.withUTF8Span { append($0, value, to: &output) }
            }
        }
    }

    /// Appends a line at once: to make room for each of its four parts takes longer than to write them.
    private static func append(_ name: Span<UInt8>, _ value: Span<UInt8>, to output: inout [UInt8]) {
        output.append(addingCapacity: name.count + value.count + 4) { line in
            line.withUnsafeMutableBufferPointer { line, end in
                put(name, in: line, at: &end)
                put(": ", in: line, at: &end)
                put(value, in: line, at: &end)
                put("\r\n", in: line, at: &end)
            }
        }
    }

    @inline(__always)
    private static func put(_ bytes: Span<UInt8>, in line: UnsafeMutableBufferPointer<UInt8>, at end: inout Int) {
        end = bytes.withUnsafeBufferPointer { line[end...].update(fromContentsOf: $0) }
    }

    @inline(__always)
    private static func put(_ text: StaticString, in line: UnsafeMutableBufferPointer<UInt8>, at end: inout Int) {
        end = text.withUTF8Buffer { line[end...].update(fromContentsOf: $0) }
    }

    /// Whether the bytes hold nothing that would end a field line or could not stand in it.
    @inline(__always)
    static func isFieldValue(_ value: Span<UInt8>) -> Bool {
        value.withUnsafeBufferPointer { ByteRun.endOfFieldContent($0, from: 0) == $0.count }
    }
}
