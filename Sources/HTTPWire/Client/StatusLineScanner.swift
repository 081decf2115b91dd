import HTTPMessages
import Primitives

/// Reads a status line (RFC 9112 section 4), and can stop at any byte. It looks at every byte once and in order.
struct StatusLineScanner: Sendable {
    struct Line {
        var version: HTTPVersion
        var code: Int
        var reason: Range<Int>
        /// With its CRLF.
        var byteCount: Int
    }

    private enum Phase: UInt8 {
        case prefix, reason, lineFeed
    }

    private var phase = Phase.prefix
    private var scanned = 0

    /// - Parameter bytes: from the end of the message before to the last byte there is.
    /// - Returns: `nil` when more bytes are needed.
    mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) throws(WireError) -> Line? {
        while scanned < bytes.count {
            let byte = bytes[scanned]
            switch phase {
            case .prefix:
                try checkPrefix(byte, at: scanned)
                if scanned == Self.prefixCount - 1 { phase = .reason }
            case .reason where byte == ASCII.carriageReturn: phase = .lineFeed
            case .reason:
                guard byte.isFieldContent else { throw byte == ASCII.lineFeed ? .bareLineFeed : .badStatusLine }
            case .lineFeed:
                guard byte == ASCII.lineFeed else { throw .bareCarriageReturn }
                let line = Line(
                    version: bytes[7] == ASCII.zero ? .http10 : .http11,
                    code: bytes[9..<12].reduce(0) { $0 * 10 + Int($1 - ASCII.zero) },
                    reason: Self.prefixCount..<scanned - 1,
                    byteCount: scanned + 1
                )
                phase = .prefix
                scanned = 0
                return line
            }
            scanned += 1
        }
        return nil
    }

    /// `HTTP/1.1 200 `, the last space included.
    private static let prefixCount = 13

    private func checkPrefix(_ byte: UInt8, at index: Int) throws(WireError) {
        let pattern: StaticString = "HTTP/1.x ddd "
        switch index {
        case 7: guard byte == ASCII.zero || byte == ASCII.zero + 1 else { throw .unsupportedVersion }
        // A code below 100 has no class that says how to read the message (RFC 9110 section 15).
        case 9: guard byte &- 0x31 < 9 else { throw .badStatusLine }
        case 10, 11: guard byte.isASCIIDigit else { throw .badStatusLine }
        default: guard byte == pattern.utf8Start[index] else { throw .badStatusLine }
        }
    }
}
