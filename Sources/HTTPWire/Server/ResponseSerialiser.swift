import HTTPMessages
import Primitives

/// Writes responses onto the end of bytes that the caller owns (RFC 9112). `Content-Length`, `Transfer-Encoding`,
/// `Connection` and `Date` are its own: what a handler set under these names is left out.
///
/// What would be read as something else (CR, LF, NUL or another control byte in a value, a 1xx status) is refused with an
/// error, and then nothing is appended: a slip in a handler must not become a second response of an attacker's making.
package struct ResponseSerialiser: Sendable {
    /// What the connection does after the response.
    package enum Connection: Sendable {
        /// Goes on, and the client knows: it speaks 1.1.
        case persistent
        /// Goes on, and says so: the client speaks 1.0 and asked for it.
        case keepAlive
        case close
    }

    package init() {}

    /// Appends the head of a response.
    /// - Parameters:
    ///   - date: the value of `Date` (RFC 9110 section 6.6.1); the caller renders it once a second.
    ///   - framing: `.none` writes no length at all and is for 204 and 304 (RFC 9110 section 8.6); an empty
    ///     response has `.length(0)`. A response to HEAD has the framing that it would have to GET, and no content
    ///     after it. `.untilClose` is for a streamed answer to a 1.0 client, and goes with `.close`.
    package func appendHead(
        _ response: HTTPResponse, framing: BodyFraming, connection: Connection, date: Span<UInt8>,
        to output: inout [UInt8]
    ) throws(SerialiserError) {
        guard response.status.code >= 200 else { throw .interimStatus }
        try output.appendWhole { output throws(SerialiserError) in
            try StatusLine.append(response.status, to: &output)
            try FieldSerialiser.append(response.headerFields, to: &output, except: Self.isOwn)
        }
        if !date.isEmpty {
            output.append("Date: ")
            output.append(date)
            output.append("\r\n")
        }
        switch connection {
        case .persistent: break
        case .keepAlive: output.append("Connection: keep-alive\r\n")
        case .close: output.append("Connection: close\r\n")
        }
        MessageSerialiser.endHead(framing: framing, to: &output)
    }

    /// Appends a piece of the content in chunks. An empty piece appends nothing: an empty chunk would end the content.
    package func appendChunk(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        ChunkSerialiser.append(bytes, to: &output)
    }

    /// Appends the end of the content in chunks.
    package func appendLastChunk(trailers: HTTPFields = [:], to output: inout [UInt8]) throws(SerialiserError) {
        try ChunkSerialiser.appendLast(trailers: trailers, to: &output)
    }

    /// Appends the interim response that a client waits for which sent `Expect: 100-continue` (RFC 9110 section 15.2.1).
    package func appendContinue(to output: inout [UInt8]) {
        output.append("HTTP/1.1 100 Continue\r\n\r\n")
    }

    private static func isOwn(_ name: HTTPField.Name) -> Bool {
        switch name.wellKnown {
        case .contentLength, .transferEncoding, .connection, .keepAlive, .date: true
        default: false
        }
    }
}
