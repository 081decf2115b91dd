import Foundation
import HTTPMessages
import Networking
import Testing

/// Deadlines are short here, and what is measured is what the client sees, not when.
@Suite struct ServerDeadlineTests {
    private static let short = Duration.milliseconds(60)

    @Test func answersAHeadThatIsLate() async throws {
        try await withServer(configure: { $0.deadlines.head = Self.short }) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET / HT")
                let response = try socket.receiveResponse()
                #expect(response.status == 408)
                #expect(response["connection"] == "close")
                #expect(response.body == "the request's head took too long\n")
                #expect(try socket.receiveAll() == "")
            }
        }
    }

    @Test func aHeadThatDripsIsLateAllTheSame() async throws {
        try await withServer(configure: { $0.deadlines.head = Self.short }) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET / HTTP/1.1\r\n")
                let begin = ContinuousClock.now
                while ContinuousClock.now < begin + .seconds(8) {
                    guard (try? socket.send("A: b\r\n")) != nil else { break }
                    var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
                    if poll(&waiting, 1, 10) > 0 { break }
                }
                let response = try socket.receiveResponse()
                #expect(response.status == 408)
            }
        }
    }

    @Test func answersABodyThatIsLate() async throws {
        try await withServer(configure: { $0.deadlines.body = Self.short }) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf")
                let response = try socket.receiveResponse()
                #expect(response.status == 408)
                #expect(response.body.contains("content"))
                #expect(try socket.receiveAll() == "")
            }
        }
    }

    /// RFC 9112 section 2.2: an empty line is no beginning of a request.
    @Test(arguments: [nil, "", "\r\n"])
    func closesAnIdleConnectionWithoutAWord(afterARequestAnd more: String?) async throws {
        try await withServer(configure: {
            $0.deadlines.idle = Self.short
            $0.deadlines.head = Self.short
        }) { server in
            try await onThread {
                let socket = try server.connect()
                if let more {
                    try socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n" + more)
                    _ = try socket.receiveResponse()
                }
                #expect(try socket.receiveAll() == "")
            }
        }
    }

    @Test func dropsAReaderThatDoesNotRead() async throws {
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { _ in
            ServerResponse(status: .ok, body: .bytes([UInt8](repeating: 0x61, count: 32 << 20)))
        }
        try await withServer(configure: { $0.deadlines.write = Self.short }, answer: answer) { server in
            let socket = try server.connect(receiveBuffer: 4096)
            try socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            try await server.wait { $0.acceptedConnections == 1 && $0.openConnections == 0 }
            try await onThread {
                // Cut off, not ended: what was received is not the whole.
                #expect(throws: TestSocket.Failure.self) { try socket.receiveAll() }
            }
        }
    }

    @Test func aReaderThatIsSlowButReadsIsNotIdle() async throws {
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { _ in
            ServerResponse(status: .ok, body: .bytes([UInt8](repeating: 0x61, count: 16 << 20)))
        }
        try await withServer(configure: { $0.deadlines.idle = Self.short }, answer: answer) { server in
            try await onThread {
                let socket = try server.connect(receiveBuffer: 64 << 10)
                try socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                _ = try socket.receive(until: "\r\n\r\n")
                // Ten pauses that are longer than an idle connection is kept.
                for _ in 0..<10 {
                    _ = try socket.receive(count: 32 << 10)
                    usleep(70_000)
                }
                var room: Int32 = 4 << 20
                setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4)
                let rest = try socket.receive(count: (16 << 20) - 10 * (32 << 10))
                #expect(rest.utf8.allSatisfy { $0 == 0x61 })
            }
        }
    }

    @Test func waitsForASlowHandlerAsLongAsItTakes() async throws {
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            try? await Task.sleep(for: .milliseconds(200))
            return await TestServer.echo(request)
        }
        try await withServer(
            configure: {
                $0.deadlines.head = Self.short
                $0.deadlines.body = Self.short
                $0.deadlines.idle = Self.short
                $0.deadlines.write = Self.short
            }, answer: answer
        ) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try socket.receiveResponse().body == "GET /a ")
            }
        }
    }

    @Test func oneLateClientDoesNotEndAnother() async throws {
        try await withServer(configure: { $0.deadlines.head = Self.short }) { server in
            try await onThread {
                let quiet = try server.connect()
                let late = try server.connect()
                try late.send("GET / HT")
                let refused = try late.receiveResponse()
                #expect(refused.status == 408)
                try quiet.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                let response = try quiet.receiveResponse()
                #expect(response.status == 200)
            }
        }
    }
}
