import HTTPMessages
import Primitives

/// Reads the line before each chunk: a hexadecimal size and extensions, which are checked and dropped (RFC 9112
/// section 7.1). It can stop at any byte and looks at each once and in order.
struct ChunkSizeScanner: Sendable {
    struct Chunk {
        var size: Int
        /// Of the line, with its CRLF.
        var byteCount: Int
    }

    private enum Phase: UInt8 {
        case size, beforeSemicolon, beforeName, name, afterName, beforeValue, value, quoted, escaped, afterQuoted,
            afterValue
        case lineFeed
    }

    private var phase = Phase.size
    private var scanned = 0
    private var size = 0
    private var extensionBytes = 0

    init() {}

    /// - Parameter bytes: from the beginning of the line to the last byte there is.
    /// - Returns: `nil` when more bytes are needed.
    mutating func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, extensionLimit: Int
    ) throws(WireError) -> Chunk? {
        while scanned < bytes.count {
            let byte = bytes[scanned]
            scanned += 1
            switch phase {
            case .size:
                try readSize(byte)
            case .lineFeed:
                guard byte == ASCII.lineFeed else { throw .bareCarriageReturn }
                let chunk = Chunk(size: size, byteCount: scanned)
                phase = .size
                scanned = 0
                size = 0
                return chunk
            default:
                extensionBytes += 1
                guard extensionBytes <= extensionLimit else { throw .chunkExtensionsTooLarge }
                try readExtension(byte)
            }
        }
        return nil
    }

    /// At most sixteen digits, and no more than fits: nothing before them, and nothing after them but an extension.
    private mutating func readSize(_ byte: UInt8) throws(WireError) {
        if let digit = byte.hexDigitValue {
            guard scanned <= 16, size <= Int.max >> 4 else { throw .badChunkSize }
            size = size << 4 | Int(digit)
            return
        }
        guard scanned > 1 else { throw .badChunkSize }
        switch byte {
        case ASCII.carriageReturn: phase = .lineFeed
        case ASCII.semicolon: phase = .beforeName
        case ASCII.space, ASCII.tab: phase = .beforeSemicolon
        case ASCII.lineFeed: throw .bareLineFeed
        default: throw .badChunkSize
        }
    }

    /// `*( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )` of RFC 9112 section 7.1.1. Read strictly although
    /// nothing is done with it: readers that differ about where this line ends have been used to smuggle requests.
    private mutating func readExtension(_ byte: UInt8) throws(WireError) {
        switch (phase, byte) {
        case (.beforeSemicolon, _) where byte.isBlank, (.beforeName, _) where byte.isBlank,
            (.afterName, _) where byte.isBlank, (.beforeValue, _) where byte.isBlank,
            (.afterValue, _) where byte.isBlank:
            break
        case (.beforeSemicolon, ASCII.semicolon), (.name, ASCII.semicolon), (.afterName, ASCII.semicolon),
            (.value, ASCII.semicolon), (.afterQuoted, ASCII.semicolon), (.afterValue, ASCII.semicolon):
            phase = .beforeName
        case (.name, ASCII.equals), (.afterName, ASCII.equals): phase = .beforeValue
        case (.name, _) where byte.isBlank: phase = .afterName
        case (.value, _) where byte.isBlank, (.afterQuoted, _) where byte.isBlank: phase = .afterValue
        case (.beforeValue, ASCII.quote): phase = .quoted
        case (.quoted, ASCII.quote): phase = .afterQuoted
        case (.quoted, ASCII.backslash): phase = .escaped
        case (.escaped, _) where byte.isFieldContent, (.quoted, _) where byte.isFieldContent: phase = .quoted
        case (.beforeName, _) where byte.isTokenByte, (.name, _) where byte.isTokenByte:
            phase = .name
        case (.beforeValue, _) where byte.isTokenByte, (.value, _) where byte.isTokenByte:
            phase = .value
        case (.name, ASCII.carriageReturn), (.value, ASCII.carriageReturn), (.afterQuoted, ASCII.carriageReturn):
            phase = .lineFeed
        default:
            throw byte == ASCII.lineFeed ? .bareLineFeed : .badChunkExtension
        }
    }
}
