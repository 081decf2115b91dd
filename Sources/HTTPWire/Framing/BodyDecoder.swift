import HTTPMessages

/// Takes the content of a message out of its framing (RFC 9112 sections 6.3 and 7.1). Knows nothing of the head;
/// requests and responses share it.
struct BodyDecoder: Sendable {
    enum Outcome {
        case needsMore
        case piece([UInt8])
        case end(HTTPFields)
    }

    private enum Phase: UInt8 {
        case data, chunkSize, chunkData, chunkCarriageReturn, chunkLineFeed, trailers, untilClose
    }

    private let limits: HTTPLimits
    private var phase = Phase.data
    private var remaining = 0
    private var received = 0
    private var sizeLine = ChunkSizeScanner()
    private var trailers = TrailerSection()

    init(limits: HTTPLimits) {
        self.limits = limits
    }

    mutating func begin(_ framing: BodyFraming) {
        remaining = 0
        switch framing {
        case .none: phase = .data
        case .length(let length):
            phase = .data
            remaining = length
        case .chunked:
            phase = .chunkSize
            received = 0
            sizeLine = ChunkSizeScanner()
            trailers = TrailerSection()
        case .untilClose:
            phase = .untilClose
            received = 0
        }
    }

    /// Whether the end of the connection is the end of the content.
    var endsWithConnection: Bool { phase == .untilClose }

    /// - Parameters:
    ///   - bytes: every byte there is.
    ///   - consumed: how many of them are done with; moved on by what this call took.
    mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, _ consumed: inout Int) throws(WireError) -> Outcome {
        if phase == .data {
            guard remaining > 0 else { return .end(HTTPFields()) }
            return takePiece(bytes, &consumed)
        }
        if phase == .untilClose {
            remaining = min(bytes.count - consumed, limits.bodyBytes - received)
            guard remaining > 0 || consumed == bytes.count else { throw .bodyTooLarge }
            received += remaining
            return takePiece(bytes, &consumed)
        }
        while true {
            switch phase {
            case .chunkSize:
                let rest = bytes[part: consumed..<bytes.count]
                let budget = limits.chunkExtensionBytes
                guard let chunk = try sizeLine.scan(rest, extensionLimit: budget) else { return .needsMore }
                consumed += chunk.byteCount
                // As a difference, since the sum may not fit.
                guard chunk.size <= limits.bodyBytes - received else { throw .bodyTooLarge }
                received += chunk.size
                remaining = chunk.size
                phase = chunk.size == 0 ? .trailers : .chunkData
            case .chunkData:
                let outcome = takePiece(bytes, &consumed)
                if remaining == 0 { phase = .chunkCarriageReturn }
                return outcome
            case .chunkCarriageReturn:
                guard consumed < bytes.count else { return .needsMore }
                guard bytes[consumed] == ASCII.carriageReturn else { throw .chunkDataNotTerminated }
                consumed += 1
                phase = .chunkLineFeed
            case .chunkLineFeed:
                guard consumed < bytes.count else { return .needsMore }
                guard bytes[consumed] == ASCII.lineFeed else { throw .chunkDataNotTerminated }
                consumed += 1
                phase = .chunkSize
            case .trailers, .data, .untilClose:
                let ended = try trailers.read(bytes, &consumed, limits: limits)
                return ended ? .end(trailers.fields) : .needsMore
            }
        }
    }

    private mutating func takePiece(_ bytes: UnsafeBufferPointer<UInt8>, _ consumed: inout Int) -> Outcome {
        let count = min(remaining, bytes.count - consumed)
        guard count > 0 else { return .needsMore }
        let piece = [UInt8](bytes[consumed..<consumed + count])
        consumed += count
        remaining -= count
        return .piece(piece)
    }
}
