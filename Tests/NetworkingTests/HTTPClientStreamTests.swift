import Foundation
import HTTPMessages
import HTTPWire
import Networking
import Synchronization
import Testing

/// Responses that are read as they come.
@Suite struct HTTPClientStreamTests {
    let group: EventLoopGroup
    let get = HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/events")

    init() throws { group = try EventLoopGroup(count: 1) }

    private func client(_ configure: (inout ClientConfiguration) -> Void = { _ in }) -> HTTPClient {
        var configuration = ClientConfiguration()
        configuration.connectTimeout = .seconds(600)
        configuration.responseTimeout = .seconds(600)
        configure(&configuration)
        return HTTPClient(group: group, configuration: configuration)
    }

    private func rest(of stream: ResponseStream) async throws -> String {
        var text = ""
        while let piece = try await stream.next() { text += String(decoding: piece, as: UTF8.self) }
        return text
    }

    @Test func givesAPieceBeforeTheNextIsThere() async throws {
        let gate = Gate()
        let answer = ServerStreamTests.streaming { writer in
            try await writer.write(Array("one".utf8))
            await gate.wait()
            try await writer.write(Array("two".utf8))
        }
        try await withServer(answer: answer) { server in
            let (response, stream) = try await client().open(get, to: server.address)
            #expect(response.status == .ok)
            #expect(try await stream.next() == Array("one".utf8))
            await gate.open()
            #expect(try await rest(of: stream) == "two")
            #expect(try await stream.next() == nil)
        }
    }

    @Test func givesAnAnswerThatIsNoStreamToo() async throws {
        try await withServer { server in
            let (_, stream) = try await client().open(get, to: server.address)
            #expect(try await rest(of: stream) == "GET /events ")
        }
    }

    @Test func saysThatTheEndIsMissing() async throws {
        let answer = ServerStreamTests.streaming { writer in
            try await writer.write(Array("one".utf8))
            throw CancellationError()
        }
        try await withServer(answer: answer) { server in
            let (_, stream) = try await client().open(get, to: server.address)
            #expect(try await stream.next() == Array("one".utf8))
            await #expect { try await stream.next() } throws: { ($0 as? NetworkingError)?.kind == .connectionClosed }
        }
    }

    @Test func waitsForTheNextPieceSoLongAndNoLonger() async throws {
        let gate = Gate()
        let answer = ServerStreamTests.streaming { writer in
            try await writer.write(Array("one".utf8))
            await gate.wait()
        }
        try await withServer(answer: answer) { server in
            let (_, stream) = try await client { $0.responseTimeout = .milliseconds(500) }.open(get, to: server.address)
            #expect(try await stream.next() == Array("one".utf8))
            await #expect { try await stream.next() } throws: { ($0 as? NetworkingError)?.kind == .timedOut }
            await gate.open()
        }
    }

    @Test func closesTheConnectionWhenNobodyReads() async throws {
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        let answer = ServerStreamTests.streaming { writer in
            defer { continuation.yield() }
            while true { try await writer.write([UInt8](repeating: 0x61, count: 1000)) }
        }
        try await withServer(answer: answer) { server in
            let (_, stream) = try await client { $0.limits.bodyBytes = 1 << 40 }.open(get, to: server.address)
            #expect(try await stream.next() != nil)
            stream.close()
            for await _ in ended { break }
        }
    }

    @Test func aCancelledReaderGivesItUp() async throws {
        let gate = Gate()
        let answer = ServerStreamTests.streaming { writer in
            try await writer.write(Array("one".utf8))
            await gate.wait()
        }
        try await withServer(answer: answer) { server in
            let (_, stream) = try await client().open(get, to: server.address)
            #expect(try await stream.next() == Array("one".utf8))
            let reading = Task { try await stream.next() }
            reading.cancel()
            await #expect { try await reading.value } throws: { ($0 as? NetworkingError)?.kind == .cancelled }
            await gate.open()
        }
    }

    /// What is not read stays with the server: a slow reader costs no memory.
    @Test func leavesTheSocketAloneWhileNobodyReads() async throws {
        let written = Mutex(0)
        let total = 64 << 20
        let stream = ServerStreamTests.streaming { writer in
            let piece = [UInt8](repeating: 0x61, count: 64 << 10)
            for _ in 0..<(total / piece.count) {
                try await writer.write(piece)
                written.withLock { $0 += piece.count }
            }
        }
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            request.head.path == "/round" ? await TestServer.echo(request) : await stream(request)
        }
        try await withServer(answer: answer) { server in
            let (_, stream) = try await client { $0.limits.bodyBytes = 1 << 40 }.open(get, to: server.address)
            // Nothing moves once the buffers of both sides are full, however often the loops go round.
            let other = client()
            var (before, idleRounds) = (-1, 0)
            while idleRounds < 50 {
                _ = try await other.send(
                    HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/round"), to: server.address)
                let now = written.withLock { $0 }
                idleRounds = now == before ? idleRounds + 1 : 0
                before = now
            }
            #expect(before < total / 2)
            var received = 0
            while let piece = try await stream.next() { received += piece.count }
            #expect(received == total)
        }
    }
}
