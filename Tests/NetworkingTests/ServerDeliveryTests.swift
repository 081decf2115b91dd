import Foundation
import HTTPMessages
import Networking
import Synchronization
import Testing

/// Responses that leave otherwise than whole.
@Suite struct ServerDeliveryTests {
    private static let content = "0123456789"

    private static func respond(
        _ manner: ResponseDelivery.Manner, whenGone: @escaping @Sendable () -> Void = {}
    ) -> @Sendable (ServerRequest) async -> ServerResponse {
        { request in
            var response = ServerResponse(status: .ok, body: .bytes(Array(content.utf8)))
            if request.head.path == "/harmed" { response.delivery = ResponseDelivery(manner, whenGone: whenGone) }
            return response
        }
    }

    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    /// All that comes to a client that asks for something, and then for what is harmed.
    private func received(_ manner: ResponseDelivery.Manner, last: String = "") async throws -> String {
        try await withServer(answer: Self.respond(manner)) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.get("/whole") + Self.get("/harmed") + last)
                return try socket.receiveAll()
            }
        }
    }

    @Test func aDroppedOneIsNoAnswerAtAll() async throws {
        let text = try await received(.dropped)
        #expect(text.components(separatedBy: "HTTP/1.1 200").count == 2)
        #expect(text.hasSuffix(Self.content))
    }

    @Test(arguments: [(nil, 5), (0, 0), (3, 3), (9, 9), (10, 9), (1000, 9)] as [(Int?, Int)])
    func aCutOneEndsBeforeItsContentDoes(_ wanted: Int?, _ kept: Int) async throws {
        let text = try await received(.cut(contentBytes: wanted))
        let answers = text.components(separatedBy: "HTTP/1.1 200")
        #expect(answers.count == 3)
        #expect(answers[2].lowercased().contains("content-length: 10"))
        #expect(answers[2].hasSuffix("\r\n\r\n" + Self.content.prefix(kept)))
    }

    /// An answer to HEAD has no content that could be cut, and its head is whole.
    @Test func aCutOneWithoutContentHasItsWholeHead() async throws {
        let text = try await withServer(answer: Self.respond(.cut(contentBytes: 0))) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("HEAD /harmed HTTP/1.1\r\nHost: a\r\n\r\n")
                return try socket.receiveAll()
            }
        }
        #expect(text.hasPrefix("HTTP/1.1 200"))
        #expect(text.hasSuffix("\r\n\r\n") && text.lowercased().contains("content-length: 10\r\n"))
    }

    @Test func aRepeatedOneComesTwice() async throws {
        let last = "GET /whole HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let text = try await received(.repeated, last: last)
        #expect(text.components(separatedBy: "HTTP/1.1 200").count == 5)
        #expect(text.components(separatedBy: Self.content).count == 5)
    }

    @Test(arguments: [.whole, .dropped, .cut(contentBytes: nil), .repeated] as [ResponseDelivery.Manner])
    func saysWhenItHasGone(_ manner: ResponseDelivery.Manner) async throws {
        let (gone, continuation) = AsyncStream.makeStream(of: Void.self)
        try await withServer(answer: Self.respond(manner) { continuation.yield() }) { server in
            _ = try await onThread {
                let socket = try server.connect()
                try socket.send(Self.get("/harmed"))
                if manner != .dropped { _ = try socket.receive(until: "\r\n\r\n") }
            }
            for await _ in gone { break }
        }
    }

    /// Who has a client wait learns that it has gone, be it that it has closed its side alone or had done so before.
    @Test(arguments: [("GET", ""), ("POST", "Connection: close\r\nContent-Length: 0\r\n")])
    func tellsWhoeverAnswersThatTheClientHasGone(_ method: String, _ fields: String) async throws {
        let (asked, asking) = AsyncStream.makeStream(of: Void.self)
        let (gone, going) = AsyncStream.makeStream(of: Void.self)
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            guard let presence = request.presence else { return ServerResponse(status: .badRequest) }
            asking.yield()
            await withCheckedContinuation { continuation in presence.whenGone { continuation.resume() } }
            await withCheckedContinuation { continuation in presence.whenGone { continuation.resume() } }
            going.yield()
            return ServerResponse(status: .ok)
        }
        try await withServer(answer: answer) { server in
            let socket = try server.connect()
            try socket.send("\(method) / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
            for await _ in asked { break }
            socket.finishSending()
            for await _ in gone { break }
        }
    }

    @Test func saysSoOnceAndAlsoWhenNobodySendsIt() {
        let count = Mutex(0)
        var delivery: ResponseDelivery? = ResponseDelivery { count.withLock { $0 += 1 } }
        delivery?.gone()
        delivery = nil
        #expect(count.withLock { $0 } == 1)
        delivery = ResponseDelivery { count.withLock { $0 += 1 } }
        delivery = nil
        #expect(count.withLock { $0 } == 2)
    }
}
