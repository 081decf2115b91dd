import HTTPMessages
import Primitives

/// Writes content in chunks (RFC 9112 section 7.1).
enum ChunkSerialiser {
    static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        output.append(hexadecimal: bytes.count)
        output.append("\r\n")
        output.append(bytes)
        output.append("\r\n")
    }

    static func appendLast(trailers: HTTPFields, to output: inout [UInt8]) throws(SerialiserError) {
        try output.appendWhole { output throws(SerialiserError) in
            output.append("0\r\n")
            try FieldSerialiser.append(trailers, to: &output, except: TrailerSection.isForbidden)
            output.append("\r\n")
        }
    }
}
