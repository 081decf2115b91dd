import HTTPMessages
import HTTPWire

/// Everything that a server sent until it closed the connection, read by the strict parser.
struct RawSocketAnswer {
    var responses: [(head: ResponseHead, body: String)] = []
    var interimCount = 0
    var failure: WireError?

    var statuses: [Int] { responses.map(\.head.response.status.code) }

    /// - Parameter methods: of the requests that were answered; what comes after is read as an answer to GET.
    init(_ bytes: [UInt8], to methods: [HTTPRequest.Method] = []) {
        var parser = ResponseParser()
        for method in methods { parser.expectResponse(to: method) }
        bytes.withUnsafeBytes { parser.append($0) }
        var body: [UInt8] = []
        var current: ResponseHead?
        var answered = 0
        while true {
            if answered >= methods.count, current == nil, !bytes.isEmpty { parser.expectResponse(to: .get) }
            guard let event = parser.next() else { break }
            switch event {
            case .interim: interimCount += 1
            case .head(let head): current = head
            case .body(let piece): body += piece
            case .end:
                guard let head = current else { return }
                responses.append((head, String(decoding: body, as: UTF8.self)))
                (current, body) = (nil, [])
                answered += 1
            case .failure(let error): failure = error
            }
        }
    }
}

extension TestSocket {
    func receiveAnswer(to methods: [HTTPRequest.Method] = []) throws -> RawSocketAnswer {
        RawSocketAnswer(Array(try receiveAll().utf8), to: methods)
    }
}
