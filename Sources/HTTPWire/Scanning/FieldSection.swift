/// Takes the lines of a header or trailer section one after the other (RFC 9112 section 5), within their limits.
struct FieldSection: Sendable {
    /// A field as it stands in the bytes, to be read before they are gone.
    struct Line {
        let name: UnsafeBufferPointer<UInt8>
        /// Without the white space around it.
        let value: UnsafeBufferPointer<UInt8>
    }

    enum Outcome {
        case needsMore
        case line(Line)
        case end
    }

    struct Limits {
        /// Of the section, the empty line at the end included.
        let bytes: Int
        let lines: Int
        let excessiveBytes: WireError
        let excessiveLines: WireError
    }

    private var scanner = FieldLineScanner()
    private var byteCount = 0
    private var lineCount = 0

    /// - Parameters:
    ///   - bytes: every byte there is.
    ///   - consumed: how many of them are done with; moved on by what this call took.
    @inline(__always)
    mutating func next(
        _ bytes: UnsafeBufferPointer<UInt8>, _ consumed: inout Int, within limits: Limits
    ) throws(WireError) -> Outcome {
        let room = limits.bytes - byteCount
        let rest = bytes[part: consumed..<consumed + min(bytes.count - consumed, room)]
        switch try scanner.scan(rest) {
        case .needsMore:
            guard rest.count < room else { throw limits.excessiveBytes }
            return .needsMore
        case .end:
            consumed += 2
            return .end
        case .line(let line):
            lineCount += 1
            guard lineCount <= limits.lines else { throw limits.excessiveLines }
            byteCount += line.byteCount
            consumed += line.byteCount
            return .line(Line(name: rest[part: 0..<line.nameEnd], value: rest[part: line.value]))
        }
    }
}

extension HTTPLimits {
    var headerSection: FieldSection.Limits {
        FieldSection.Limits(
            bytes: headerBytes, lines: headerCount, excessiveBytes: .headerTooLarge,
            excessiveLines: .tooManyHeaderFields)
    }

    var trailerSection: FieldSection.Limits {
        FieldSection.Limits(
            bytes: trailerBytes, lines: trailerCount, excessiveBytes: .trailersTooLarge,
            excessiveLines: .trailersTooLarge)
    }
}
