import HTTPMessages

/// Why a message was refused. The connection it came on cannot be trusted any more, since nobody knows where the
/// next message would begin: answer with `status` if at all, and close it.
package enum WireError: UInt8, Error, Hashable, CaseIterable {
    case badMethod
    case badTarget
    case targetHasFragment
    case badRequestLine
    case badVersion
    case unsupportedVersion
    case requestLineTooLong
    case connectNotSupported
    case badStatusLine
    case bareCarriageReturn
    case bareLineFeed
    case controlByte
    case foldedLine
    case badFieldName
    case spaceBeforeColon
    case headerTooLarge
    case tooManyHeaderFields
    case repeatedSingleton
    case missingHost
    case repeatedHost
    case badHost
    case badContentLength
    case repeatedContentLength
    case contentLengthAndTransferEncoding
    case badTransferEncoding
    case chunkedNotLast
    case transferEncodingInOldVersion
    case unknownTransferCoding
    case unknownExpectation
    case bodyTooLarge
    case badChunkSize
    case badChunkExtension
    case chunkExtensionsTooLarge
    case chunkDataNotTerminated
    case forbiddenTrailer
    case trailersTooLarge
    case truncated
    case unexpectedBytes
    case unexpectedUpgrade
    case tooManyInterimResponses
}

extension WireError {
    /// What a server answers. A client has no use for it.
    package var status: HTTPResponse.Status {
        switch self {
        case .requestLineTooLong: .uriTooLong
        case .headerTooLarge, .tooManyHeaderFields, .trailersTooLarge: .requestHeaderFieldsTooLarge
        case .bodyTooLarge: .contentTooLarge
        case .unknownExpectation: .expectationFailed
        case .connectNotSupported, .unknownTransferCoding: .notImplemented
        case .unsupportedVersion: .httpVersionNotSupported
        default: .badRequest
        }
    }

    /// What was wrong, for the log and for whoever sent it. Never repeats what was sent.
    package var reason: String {
        switch self {
        case .badMethod: "the method is not a token"
        case .badTarget: "the request target is not valid for this method"
        case .targetHasFragment: "the request target has a fragment"
        case .badRequestLine: "the request line is not method, target and version with single spaces between"
        case .badVersion: "the protocol is not HTTP"
        case .unsupportedVersion: "only HTTP/1.1 and HTTP/1.0 are spoken here"
        case .requestLineTooLong: "the request line is too long"
        case .connectNotSupported: "CONNECT is not supported"
        case .badStatusLine: "the status line is malformed"
        case .bareCarriageReturn: "a carriage return without a line feed"
        case .bareLineFeed: "a line feed without a carriage return"
        case .controlByte: "a control byte in a field value"
        case .foldedLine: "a field line begins with white space"
        case .badFieldName: "a field name is not a token followed by a colon"
        case .spaceBeforeColon: "white space between a field name and its colon"
        case .headerTooLarge: "the header fields are too large"
        case .tooManyHeaderFields: "too many header fields"
        case .repeatedSingleton: "a field that may occur once occurs twice"
        case .missingHost: "Host is missing"
        case .repeatedHost: "Host occurs twice"
        case .badHost: "Host is not a host with an optional port"
        case .badContentLength: "Content-Length is not a decimal number in range"
        case .repeatedContentLength: "Content-Length occurs twice"
        case .contentLengthAndTransferEncoding: "both Content-Length and Transfer-Encoding"
        case .badTransferEncoding: "Transfer-Encoding is malformed"
        case .chunkedNotLast: "chunked is not the last transfer coding, or occurs twice"
        case .transferEncodingInOldVersion: "Transfer-Encoding in HTTP/1.0"
        case .unknownTransferCoding: "the only transfer coding supported is chunked"
        case .unknownExpectation: "the only expectation supported is 100-continue"
        case .bodyTooLarge: "the content is too large"
        case .badChunkSize: "a chunk size is malformed"
        case .badChunkExtension: "a chunk extension is malformed"
        case .chunkExtensionsTooLarge: "the chunk extensions are too large"
        case .chunkDataNotTerminated: "a chunk is not followed by CRLF"
        case .forbiddenTrailer: "a trailer field that belongs into the header"
        case .trailersTooLarge: "the trailer fields are too large"
        case .truncated: "the connection ended in the middle of a message"
        case .unexpectedBytes: "bytes that belong to no message"
        case .unexpectedUpgrade: "another protocol, which was not asked for"
        case .tooManyInterimResponses: "too many 1xx responses"
        }
    }
}
