import Foundation
import HTTPMessages
import Networking
import Synchronization
import Testing

@Suite struct ServerStreamTests {
    static let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

    static func streaming(
        _ produce: @escaping @Sendable (any ServerBodyWriter) async throws -> Void
    ) -> @Sendable (ServerRequest) async -> ServerResponse {
        { _ in ServerResponse(status: .ok, body: .stream(produce)) }
    }

    @Test func sendsPiecesInChunks() async throws {
        let answer = Self.streaming { writer in
            try await writer.write(Array("one".utf8))
            try await writer.write([])
            try await Task.sleep(for: .milliseconds(5))
            try await writer.write(Array("0123456789abcdef!".utf8))
        }
        try await withServer(answer: answer) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.get + Self.get)
                for _ in 0..<2 {
                    let head = try socket.receive(until: "\r\n\r\n")
                    #expect(head.contains("Transfer-Encoding: chunked\r\n"))
                    #expect(!head.lowercased().contains("content-length"))
                    let content = try socket.receive(until: "0\r\n\r\n")
                    #expect(content == "3\r\none\r\n11\r\n0123456789abcdef!\r\n0\r\n\r\n")
                }
            }
        }
    }

    @Test func sendsTheFirstPieceBeforeTheSecondIsThere() async throws {
        let gate = Gate()
        let answer = Self.streaming { writer in
            try await writer.write(Array("one".utf8))
            await gate.wait()
            try await writer.write(Array("two".utf8))
        }
        try await withServer(answer: answer) { server in
            let socket = try server.connect()
            try await onThread {
                try socket.send(Self.get)
                _ = try socket.receive(until: "one\r\n")
            }
            await gate.open()
            _ = try await onThread { try socket.receive(until: "two\r\n0\r\n\r\n") }
        }
    }

    @Test func endsWithTheConnectionForAnOldClient() async throws {
        let answer = Self.streaming { writer in
            try await writer.write(Array("one".utf8))
            try await writer.write(Array("two".utf8))
        }
        try await withServer(answer: answer) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                let all = try socket.receiveAll()
                #expect(all.hasSuffix("\r\n\r\nonetwo"))
                #expect(all.contains("Connection: close\r\n"))
                #expect(!all.contains("chunked"))
            }
        }
    }

    @Test func asksNobodyForContentInAnswerToHead() async throws {
        let asked = Atomic(false)
        try await withServer(answer: { _ in
            ServerResponse(status: .ok, body: .stream { _ in asked.store(true, ordering: .relaxed) })
        }) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("HEAD /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                let all = try socket.receiveAll()
                #expect(all.contains("Transfer-Encoding: chunked\r\n"))
                #expect(all.hasSuffix("\r\n\r\n"))
            }
        }
        let wasAsked = asked.load(ordering: .relaxed)
        #expect(!wasAsked)
    }

    struct Broken: Error {}

    @Test(arguments: ["1.1", "1.0"])
    func cutsOffWhatTheHandlerCannotFinish(_ version: String) async throws {
        let answer = Self.streaming { writer in
            try await writer.write(Array("half".utf8))
            throw Broken()
        }
        try await withServer(answer: answer) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a HTTP/\(version)\r\nHost: x\r\n\r\n")
                _ = try socket.receive(until: "half")
                // An error, not an end.
                #expect(throws: TestSocket.Failure.self) { try socket.receiveAll() }
            }
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func waitsForASlowReader() async throws {
        let written = Atomic(0)
        let piece = [UInt8](repeating: 0x61, count: 64 << 10)
        let count = 160
        try await withServer(answer: { _ in
            ServerResponse(
                status: .ok,
                body: .stream { writer in
                    for _ in 0..<count {
                        try await writer.write(piece)
                        written.add(1, ordering: .relaxed)
                    }
                })
        }) { server in
            let socket = try server.connect(receiveBuffer: 4096)
            try socket.send(Self.get)
            // The kernel holds a few megabytes on both sides at most; then the handler waits. It has stopped when two
            // looks apart see the same.
            var before = -1
            while written.load(ordering: .relaxed) != before || before <= 0 {
                before = written.load(ordering: .relaxed)
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(before < count)
            var room: Int32 = 4 << 20
            setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4)
            let received = try await onThread {
                _ = try socket.receive(until: "\r\n\r\n")
                return try socket.receive(until: "\r\n0\r\n\r\n").utf8.count
            }
            #expect(received == count * (piece.count + "10000\r\n\r\n".utf8.count) + "0\r\n\r\n".utf8.count)
        }
    }

    @Test func tellsTheHandlerThatTheClientHasGone() async throws {
        let failure = Mutex<(any Error)?>(nil)
        let isOver = Gate()
        try await withServer(answer: { _ in
            ServerResponse(
                status: .ok,
                body: .stream { writer in
                    do {
                        while true { try await writer.write([UInt8](repeating: 0x61, count: 1 << 16)) }
                    } catch {
                        failure.withLock { $0 = error }
                        await isOver.open()
                        throw error
                    }
                })
        }) { server in
            let socket = try server.connect(receiveBuffer: 4096)
            try socket.send(Self.get)
            _ = try await onThread { try socket.receive(until: "\r\n\r\n") }
            socket.close()
            await isOver.wait()
        }
        #expect((failure.withLock { $0 } as? NetworkingError)?.kind == .connectionClosed)
    }

    @Test func refusesAPieceForAResponseThatHasEnded() async throws {
        let kept = Mutex<(any ServerBodyWriter)?>(nil)
        try await withServer(answer: { request in
            guard request.head.path == "/keep" else { return await TestServer.echo(request) }
            return ServerResponse(
                status: .ok,
                body: .stream { writer in
                    kept.withLock { $0 = writer }
                    try await writer.write([0x61])
                })
        }) { server in
            let socket = try server.connect()
            _ = try await onThread {
                try socket.send("GET /keep HTTP/1.1\r\nHost: x\r\n\r\n")
                return try socket.receive(until: "0\r\n\r\n")
            }
            let writer = try #require(kept.withLock { $0 })
            await #expect(throws: NetworkingError.self) { try await writer.write(Array("smuggled".utf8)) }
            try await onThread {
                try socket.send(Self.get)
                let response = try socket.receiveResponse()
                #expect(response.body == "GET /a ")
            }
        }
    }

    @Test func takesPiecesFromManyTasks() async throws {
        let answer = Self.streaming { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 { group.addTask { try await writer.write(Array("abc".utf8)) } }
                try await group.waitForAll()
            }
        }
        try await withServer(answer: answer) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.get)
                _ = try socket.receive(until: "\r\n\r\n")
                let content = try socket.receive(until: "0\r\n\r\n")
                #expect(content == String(repeating: "3\r\nabc\r\n", count: 50) + "0\r\n\r\n")
            }
        }
    }
}
