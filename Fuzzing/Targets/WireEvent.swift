import HTTPMessages
import HTTPWire

/// What came out of either parser, with pieces of content joined: where those end is not part of the message.
enum WireEvent: Equatable {
    case request(RequestHead)
    case interim(ResponseHead)
    case response(ResponseHead)
    case body([UInt8])
    case end(HTTPFields)
    case failure(WireError)
}

extension [WireEvent] {
    mutating func join(_ event: WireEvent) {
        if case .body(let piece) = event {
            require(!piece.isEmpty, "a piece of content is never empty")
            if case .body(let earlier) = last {
                self[count - 1] = .body(earlier + piece)
                return
            }
        }
        append(event)
    }
}
