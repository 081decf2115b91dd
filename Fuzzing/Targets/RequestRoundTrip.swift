import HTTPMessages
import HTTPWire

/// A request that our server understood and our client sends on is understood as the same request.
enum RequestRoundTrip {
    /// Fields that each side of a connection writes by itself.
    private static let ownNames: [HTTPField.Name] = [
        .connection, .keepAlive, .contentLength, .transferEncoding, .host,
    ]

    static func check(_ head: RequestHead) {
        guard let authority = head.request.authority else { return }
        var text: [UInt8] = []
        let serialiser = RequestSerialiser()
        guard
            (try? serialiser.appendHead(
                head.request, framing: head.bodyFraming, keepAlive: head.keepAlive, to: &text)) != nil
        else { return require(text.isEmpty, "a request that cannot be written leaves nothing behind") }

        var parser = RequestParser()
        text.withUnsafeBytes { parser.append($0) }
        guard case .head(let again) = parser.next() else { return require(false, "a written request is read") }
        require(again.request.method == head.request.method, "a request keeps its method")
        require(again.request.authority == authority, "a request keeps its authority")
        require(again.request.path == head.request.path, "a request keeps its path")
        require(again.bodyFraming == head.bodyFraming, "a request keeps its framing")
        require(again.keepAlive == head.keepAlive, "a request keeps the connection as long")
        require(others(again.request.headerFields) == others(head.request.headerFields), "a request keeps its fields")
    }

    private static func others(_ fields: HTTPFields) -> [HTTPField] {
        fields.filter { !ownNames.contains($0.name) }
    }
}
