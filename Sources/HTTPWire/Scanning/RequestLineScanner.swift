import HTTPMessages
import Primitives

/// Finds the three parts of a request line (RFC 9112 section 3), and can stop at any byte. It looks at every byte
/// once and in order, so that a line that can never become valid is refused at its first wrong byte, and what is
/// found does not depend on how the bytes came.
struct RequestLineScanner: Sendable {
    struct Line {
        var methodEnd: Int
        var targetEnd: Int
        var version: HTTPVersion
        /// With its CRLF, and an empty line before it.
        var byteCount: Int
        var start: Int
    }

    private enum Phase: UInt8 {
        case start, emptyLine, afterEmptyLine, method, target, version, carriageReturn, lineFeed
    }

    private var phase = Phase.start
    /// Bytes already looked at.
    private(set) var scanned = 0
    private var start = 0
    private var methodEnd = 0
    private var targetEnd = 0
    private var version = HTTPVersion.http11

    /// Whether a byte of a request has been looked at, beyond an empty line before it.
    var hasBegun: Bool { phase != .start && phase != .afterEmptyLine }

    /// - Parameter bytes: from the end of the message before to the last byte there is.
    /// - Returns: `nil` when more bytes are needed.
    @inline(__always)
    mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) throws(WireError) -> Line? {
        var index = scanned
        defer { scanned = index }
        if phase.rawValue < Phase.method.rawValue {
            guard try skipEmptyLine(bytes, &index) else { return nil }
        }
        if phase == .method {
            while index < bytes.count, bytes[index].isTokenByte { index += 1 }
            guard index < bytes.count else { return nil }
            guard bytes[index] == ASCII.space, index > start else { throw .badMethod }
            methodEnd = index
            index += 1
            phase = .target
        }
        if phase == .target {
            index = ByteRun.endOfTarget(bytes, from: index)
            guard index < bytes.count else { return nil }
            guard bytes[index] == ASCII.space, index > methodEnd + 1 else { throw Self.targetError(bytes[index]) }
            targetEnd = index
            index += 1
            phase = .version
        }
        if phase == .version {
            guard try readVersion(bytes, &index) else { return nil }
            phase = .carriageReturn
        }
        if phase == .carriageReturn {
            guard index < bytes.count else { return nil }
            guard bytes[index] == ASCII.carriageReturn else {
                throw bytes[index] == ASCII.lineFeed ? .bareLineFeed : .badRequestLine
            }
            index += 1
            phase = .lineFeed
        }
        guard index < bytes.count else { return nil }
        guard bytes[index] == ASCII.lineFeed else { throw .bareCarriageReturn }
        let byteCount = index + 1
        phase = .start
        index = 0
        return Line(methodEnd: methodEnd, targetEnd: targetEnd, version: version, byteCount: byteCount, start: start)
    }

    /// RFC 9112 section 2.2: an empty line before the request line is ignored. One, not many.
    private mutating func skipEmptyLine(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int
    ) throws(WireError) -> Bool {
        if phase == .start {
            guard index < bytes.count else { return false }
            start = 0
            if bytes[index] == ASCII.carriageReturn {
                index += 1
                phase = .emptyLine
            } else {
                phase = .method
                return true
            }
        }
        if phase == .emptyLine {
            guard index < bytes.count else { return false }
            guard bytes[index] == ASCII.lineFeed else { throw .bareCarriageReturn }
            index += 1
            start = index
            phase = .afterEmptyLine
        }
        guard index < bytes.count else { return false }
        phase = .method
        return true
    }

    /// RFC 9112 section 3.2: no form of the target has a fragment, and none a byte that is not visible ASCII.
    private static func targetError(_ byte: UInt8) -> WireError {
        if byte == ASCII.hash { return .targetHasFragment }
        return byte > 0x7E ? .badTarget : .badRequestLine
    }

    /// RFC 9112 section 2.3: `HTTP/`, a digit, a dot and a digit, in capitals. A higher minor version ought to be
    /// read as 1.1 (RFC 9110 section 2.5); as there is none, whoever sends one is only trying what we do.
    private mutating func readVersion(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int
    ) throws(WireError) -> Bool {
        let name: StaticString = "HTTP/"
        while index < bytes.count {
            let byte = bytes[index]
            let position = index - targetEnd - 1
            switch position {
            case 0..<5: guard byte == name.utf8Start[position] else { throw .badVersion }
            case 6: guard byte == ASCII.dot else { throw .badVersion }
            default: guard byte.isASCIIDigit else { throw .badVersion }
            }
            index += 1
            if position == 7 {
                guard bytes[index - 3] == ASCII.zero + 1, byte <= ASCII.zero + 1 else { throw .unsupportedVersion }
                version = byte == ASCII.zero ? .http10 : .http11
                return true
            }
        }
        return false
    }
}
