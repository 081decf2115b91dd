import Primitives

/// What requests and responses have in common when they are written.
enum MessageSerialiser {
    /// Appends the field that says where the content ends, and the end of the head (RFC 9112 section 6).
    static func endHead(framing: BodyFraming, to output: inout [UInt8]) {
        switch framing {
        case .none, .untilClose: output.append("\r\n")
        case .length(let length):
            output.append("Content-Length: ")
            output.append(decimal: length)
            output.append("\r\n\r\n")
        case .chunked: output.append("Transfer-Encoding: chunked\r\n\r\n")
        }
    }
}

extension [UInt8] {
    /// Appends all that `write` does, or, when it throws, nothing.
    @inline(__always)
    mutating func appendWhole(
        _ write: (inout [UInt8]) throws(SerialiserError) -> Void
    ) throws(SerialiserError) {
        let start = count
        do throws(SerialiserError) {
            try write(&self)
        } catch {
            removeSubrange(start...)
            throw error
        }
    }
}
