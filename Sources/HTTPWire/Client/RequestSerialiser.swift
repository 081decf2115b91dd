import HTTPMessages
import Primitives

/// Writes requests onto the end of bytes that the caller owns (RFC 9112). `Host`, `Content-Length`,
/// `Transfer-Encoding` and `Connection` are its own: what the caller set under these names is left out.
package struct RequestSerialiser: Sendable {
    package init() {}

    /// Appends the head of a request, with its target in origin form (`*` for a server-wide OPTIONS).
    /// - Parameters:
    ///   - framing: `.none` writes no length at all; POST and its like have `.length(0)` when they are empty (RFC 9110
    ///     section 8.6). `.untilClose` is no framing for a request.
    ///   - keepAlive: whether another request may follow on the connection.
    package func appendHead(
        _ request: HTTPRequest, framing: BodyFraming, keepAlive: Bool = true, to output: inout [UInt8]
    ) throws(SerialiserError) {
        precondition(framing != .untilClose, "a request cannot end with the connection")
        try output.appendWhole { output throws(SerialiserError) in
            try appendControlData(request, to: &output)
            try FieldSerialiser.append(request.headerFields, to: &output, except: Self.isOwn)
        }
        if !keepAlive { output.append("Connection: close\r\n") }
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

    private func appendControlData(
        _ request: HTTPRequest, to output: inout [UInt8]
    ) throws(SerialiserError) {
        output.append(request.method.rawValue)
        output.append(" ")
        let target = output.count
        output.append(request.path ?? "")
        guard Self.isTarget(output[target...], method: request.method) else { throw .badTarget }
        output.append(" HTTP/1.1\r\nHost: ")
        let host = output.count
        output.append(request.authority ?? "")
        let isValid = output.withUnsafeBufferPointer { AuthoritySyntax.isValid($0[part: host..<$0.count]) }
        guard isValid else { throw .badAuthority }
        output.append("\r\n")
    }

    /// RFC 9112 section 3.2: the origin form, or `*` for OPTIONS.
    private static func isTarget(_ target: ArraySlice<UInt8>, method: HTTPRequest.Method) -> Bool {
        guard let first = target.first else { return false }
        if first == ASCII.asterisk { return target.count == 1 && method == .options }
        return first == ASCII.slash && method != .connect
            && target.allSatisfy { $0.isVisible && $0 != ASCII.hash }
    }

    private static func isOwn(_ name: HTTPField.Name) -> Bool {
        switch name.wellKnown {
        case .host, .contentLength, .transferEncoding, .connection, .keepAlive: true
        default: false
        }
    }
}
