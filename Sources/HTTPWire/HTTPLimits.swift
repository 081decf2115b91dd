/// How much one message may ask of its reader. What goes beyond is refused before it is stored.
package struct HTTPLimits: Hashable, Sendable {
    /// Bytes of a request line or a status line, its CRLF included.
    package var requestLineBytes = 8192
    /// Bytes of all header field lines of a message, the empty line at the end included.
    package var headerBytes = 32768
    /// Header field lines in a message.
    package var headerCount = 100
    /// Bytes of content, after the chunks are taken apart.
    package var bodyBytes = 1 << 20
    /// Bytes of all trailer field lines of a message, the empty line at the end included.
    package var trailerBytes = 8192
    /// Trailer field lines in a message.
    package var trailerCount = 32
    /// Bytes of chunk extensions in a message, all chunks taken together: they carry nothing that is used, so that
    /// a sender can only spend our time with them.
    package var chunkExtensionBytes = 4096

    /// 1xx responses before the one that is waited for.
    package var interimCount = 16

    package init() {}

    package static let standard = HTTPLimits()

    /// For requests to a server whose largest is a form: it holds their content before it knows who sends it.
    package static let forms = {
        var limits = HTTPLimits()
        limits.bodyBytes = 64 << 10
        return limits
    }()
}
