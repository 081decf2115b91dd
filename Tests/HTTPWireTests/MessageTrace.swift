import HTTPMessages
import HTTPWire
import Primitives

/// What came out of a parser, with adjacent pieces of content joined: two traces are equal when the same messages were
/// read, however the content was cut.
struct MessageTrace<Head: Hashable>: Equatable {
    enum Item: Equatable {
        case head(Head)
        case interim(Head)
        case body([UInt8])
        case end(HTTPFields)
        case failure(WireError)
    }

    var items: [Item] = []

    mutating func append(body piece: [UInt8]) {
        if case .body(let earlier) = items.last {
            items[items.count - 1] = .body(earlier + piece)
        } else {
            items.append(.body(piece))
        }
    }

    var heads: [Head] { items.compactMap { if case .head(let head) = $0 { head } else { nil } } }
    var failure: WireError? { if case .failure(let error) = items.last { error } else { nil } }
    var bodies: [[UInt8]] { items.compactMap { if case .body(let body) = $0 { body } else { nil } } }
    var trailers: [HTTPFields] { items.compactMap { if case .end(let fields) = $0 { fields } else { nil } } }
    var completeCount: Int { trailers.count }
}

typealias RequestTrace = MessageTrace<RequestHead>
typealias ResponseTrace = MessageTrace<ResponseHead>

extension RequestTrace {
    init(
        _ bytes: [UInt8], _ chunking: Chunking = .whole, limits: HTTPLimits = .standard, thenEnds: Bool = false
    ) {
        var parser = RequestParser(limits: limits)
        for piece in chunking.pieces(of: bytes) {
            piece.withUnsafeBytes { parser.append($0) }
            drain(&parser)
        }
        if thenEnds {
            parser.finish()
            drain(&parser)
        }
    }

    private mutating func drain(_ parser: inout RequestParser) {
        while let event = parser.next() {
            switch event {
            case .head(let head): items.append(.head(head))
            case .body(let piece): append(body: piece)
            case .end(let trailers): items.append(.end(trailers))
            case .failure(let error): items.append(.failure(error))
            }
        }
    }
}

extension ResponseTrace {
    init(
        _ bytes: [UInt8], to methods: [HTTPRequest.Method] = [.get], _ chunking: Chunking = .whole,
        limits: HTTPLimits = .standard, thenEnds: Bool = false
    ) {
        var parser = ResponseParser(limits: limits)
        for method in methods { parser.expectResponse(to: method) }
        for piece in chunking.pieces(of: bytes) {
            piece.withUnsafeBytes { parser.append($0) }
            drain(&parser)
        }
        if thenEnds {
            parser.finish()
            drain(&parser)
        }
    }

    private mutating func drain(_ parser: inout ResponseParser) {
        while let event = parser.next() {
            switch event {
            case .interim(let head): items.append(.interim(head))
            case .head(let head): items.append(.head(head))
            case .body(let piece): append(body: piece)
            case .end(let trailers): items.append(.end(trailers))
            case .failure(let error): items.append(.failure(error))
            }
        }
    }
}
