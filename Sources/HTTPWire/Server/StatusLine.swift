import HTTPMessages
import Primitives

/// The first line of a response (RFC 9112 section 4).
enum StatusLine {
    static func append(_ status: HTTPResponse.Status, to output: inout [UInt8]) throws(SerialiserError) {
        if let line = common(status.code) {
            output.append(line)
            return
        }
        guard status.reasonPhrase.withUTF8Span({ FieldSerialiser.isFieldValue($0) }) else { throw .controlByte }
        output.append("HTTP/1.1 ")
        output.append(decimal: status.code)
        output.append(" ")
        output.append(status.reasonPhrase)
        output.append("\r\n")
    }

    /// The whole line of the codes that are sent often. The phrase says nothing that the code does not (RFC 9112
    /// section 4), so that one set by the handler need not be looked at.
    private static func common(_ code: Int) -> StaticString? {
        switch code {
        case 200: "HTTP/1.1 200 OK\r\n"
        case 204: "HTTP/1.1 204 No Content\r\n"
        case 302: "HTTP/1.1 302 Found\r\n"
        case 303: "HTTP/1.1 303 See Other\r\n"
        case 304: "HTTP/1.1 304 Not Modified\r\n"
        case 400: "HTTP/1.1 400 Bad Request\r\n"
        case 401: "HTTP/1.1 401 Unauthorized\r\n"
        case 404: "HTTP/1.1 404 Not Found\r\n"
        case 503: "HTTP/1.1 503 Service Unavailable\r\n"
        default: nil
        }
    }
}
