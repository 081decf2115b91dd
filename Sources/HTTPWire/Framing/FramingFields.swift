import HTTPMessages
import Primitives

/// What the fields of one header section say about where the message ends and whether the connection goes on. Each
/// line is judged when it is complete.
struct FramingFields: Sendable {
    var contentLength: Int?
    private(set) var hasTransferEncoding = false
    private var endsInChunked = false
    private var hasUnknownCoding = false
    private(set) var close = false
    private(set) var keepAlive = false

    /// RFC 9110 section 8.6: one decimal number. A repeated one is refused even if it repeats the same number, and so
    /// is a list: some reader before us may have taken the other.
    mutating func readContentLength(_ value: UnsafeBufferPointer<UInt8>) throws(WireError) {
        guard contentLength == nil else { throw .repeatedContentLength }
        guard !value.isEmpty else { throw .badContentLength }
        var length = 0
        for byte in value {
            guard byte.isASCIIDigit else { throw .badContentLength }
            let (tenfold, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(Int(byte - ASCII.zero))
            guard !overflow, !carry else { throw .badContentLength }
            length = sum
        }
        contentLength = length
        // RFC 9112 section 6.3: a message with both may be an attempt to smuggle.
        guard !hasTransferEncoding else { throw .contentLengthAndTransferEncoding }
    }

    /// RFC 9112 sections 6.1 and 7: codings in the order in which they were applied, `chunked` at the end and once.
    mutating func readTransferEncoding(
        _ value: UnsafeBufferPointer<UInt8>, version: HTTPVersion
    ) throws(WireError) {
        hasTransferEncoding = true
        // Section 6.1: framing of a message that an older version sent with it is faulty.
        guard version == .http11 else { throw .transferEncodingInOldVersion }
        guard contentLength == nil else { throw .contentLengthAndTransferEncoding }
        for element in value.split(separator: ASCII.comma, omittingEmptySubsequences: false) {
            guard !endsInChunked else { throw .chunkedNotLast }
            let coding = UnsafeBufferPointer(rebasing: element).trimmed
            if coding.equalsIgnoringCase("chunked") {
                endsInChunked = true
            } else {
                guard let first = coding.first, first.isTokenByte else { throw .badTransferEncoding }
                hasUnknownCoding = true
            }
        }
    }

    /// RFC 9110 section 7.6.1.
    mutating func readConnection(_ value: UnsafeBufferPointer<UInt8>) {
        if value.equalsIgnoringCase("keep-alive") {
            keepAlive = true
            return
        }
        for element in value.split(separator: ASCII.comma) {
            let option = UnsafeBufferPointer(rebasing: element).trimmed
            if option.equalsIgnoringCase("close") { close = true }
            if option.equalsIgnoringCase("keep-alive") { keepAlive = true }
        }
    }

    /// Whether `Transfer-Encoding` says that the content is in chunks and nothing else.
    /// RFC 9112 section 6.3: where `chunked` is not the last coding of a request, its length is unknown. Section 6.1:
    /// a coding that is not understood is answered with 501.
    func isChunked() throws(WireError) -> Bool {
        guard hasTransferEncoding else { return false }
        guard endsInChunked else { throw .chunkedNotLast }
        guard !hasUnknownCoding else { throw .unknownTransferCoding }
        return true
    }

    /// RFC 9112 section 9.3: `close` wins; 1.1 goes on by itself, 1.0 when asked to.
    func persists(_ version: HTTPVersion) -> Bool {
        !close && (version == .http11 || keepAlive)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Without white space around it.
    fileprivate var trimmed: UnsafeBufferPointer<UInt8> {
        var start = 0
        var end = count
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return self[part: start..<end]
    }
}
