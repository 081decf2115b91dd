import HTTPMessages
import HTTPWire
import Networking
import Primitives
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct RawSocketPipeliningTests {
    private static func get(_ path: String, _ lines: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: x\r\n\(lines)\r\n"
    }

    /// Answers with `count` bytes, as the path says.
    private static let sized: @Sendable (ServerRequest) async -> ServerResponse = { request in
        let count = Int(request.head.path?.dropFirst() ?? "") ?? 0
        return ServerResponse(status: .ok, body: .bytes([UInt8](repeating: 0x78, count: count)))
    }

    /// Together they are more than a connection may hold back: the last are begun when the first have been sent.
    @Test(arguments: [100_000, 300_000, 5_000_000])
    func answersAllWhenTheResponsesFillTheOutputBuffer(bytes: Int) async throws {
        try await withServer(answer: Self.sized) { server in
            try await onThread {
                let socket = try server.connect()
                let count = 40_000_000 / bytes
                try socket.send((0..<count).map { _ in Self.get("/\(bytes)") }.joined())
                for _ in 0..<count { #expect(try socket.receiveResponse().body.utf8.count == bytes) }
            }
        }
    }

    /// And so when the client has said that it sends no more.
    @Test
    func answersAllAfterAHalfClose() async throws {
        try await withServer(answer: Self.sized) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send((0..<60).map { _ in Self.get("/100000") }.joined())
                socket.finishSending()
                let answer = try socket.receiveAnswer(to: Array(repeating: .get, count: 60))
                #expect(answer.statuses == Array(repeating: 200, count: 60))
                #expect(answer.failure == nil)
            }
            try await server.wait { $0.openConnections == 0 }
        }
    }

    /// Handlers that end in another order than they began, of requests with all kinds of framing.
    @Test
    func keepsTheOrderWhateverTheHandlersTake() async throws {
        let echo = TestServer.echo
        try await withServer(
            loops: 2,
            answer: { request in
                for _ in 0..<(request.head.path?.utf8.count ?? 0) % 5 { await Task.yield() }
                return await echo(request)
            }
        ) { server in
            try await onThread {
                let socket = try server.connect()
                var expected: [String] = []
                var text = ""
                for number in 0..<60 {
                    let path = "/" + String(repeating: "x", count: number % 7) + "\(number)"
                    switch number % 3 {
                    case 0: text += Self.get(path)
                    case 1: text += "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab"
                    default:
                        text +=
                            "PUT \(path) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"
                    }
                    expected.append(["GET \(path) ", "POST \(path) ab", "PUT \(path) a"][number % 3])
                }
                try socket.send(text)
                for body in expected { #expect(try socket.receiveResponse().body == body) }
            }
        }
    }

    /// As many as may wait, over several connections, whose handlers all wait for each other.
    @Test func answersInTheirOrderWhatIsDoneInBatches() async throws {
        let echo = TestServer.echo
        let group = Mutex<EventLoopGroup?>(nil)
        let work = CountedWork()
        try await withServer(
            answer: { request in
                await group.withLock { $0 }?.perform(work)
                let response = await echo(request)
                await group.withLock { $0 }?.perform(work)
                return response
            }
        ) { server in
            group.withLock { $0 = server.group }
            try await onThread {
                let sockets = try (0..<5).map { _ in try server.connect() }
                for socket in sockets { try socket.send((0..<65).map { Self.get("/\($0)") }.joined()) }
                // It goes in the middle of its answers.
                sockets[4].close()
                for socket in sockets[..<4] {
                    for number in 0..<65 { #expect(try socket.receiveResponse().body == "GET /\(number) ") }
                }
            }
        }
        #expect(work.count >= 4 * 65 * 2)
    }

    /// RFC 9112 section 9.6.
    @Test(arguments: ["GET /2 HTTP/1.1\r\nHost: x\r\n\r\n", "\0\0\0", "GET / HTTP/1.1\n"])
    func answersNothingAfterTheRequestThatEndsTheConnection(rest: String) async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.get("/0") + Self.get("/1", "Connection: close\r\n") + rest)
                let answer = try socket.receiveAnswer()
                #expect(answer.responses.map(\.body) == ["GET /0 ", "GET /1 "])
                #expect(answer.responses.last?.head.keepAlive == false)
            }
        }
    }

    /// What was asked for before the attack is answered, in order and before it, however long that takes.
    @Test
    func answersWhatCameBeforeAnAttackFirst() async throws {
        let gate = Gate()
        let echo = TestServer.echo
        try await withServer(answer: { request in
            if request.head.path == "/slow" { await gate.wait() }
            return await echo(request)
        }) { server in
            let socket = try server.connect()
            try await onThread {
                let attack = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n"
                try socket.send(Self.get("/slow") + Self.get("/2") + attack)
            }
            await gate.open()
            try await onThread {
                let answer = try socket.receiveAnswer()
                #expect(answer.responses.prefix(2).map(\.body) == ["GET /slow ", "GET /2 "])
                #expect(answer.statuses == [200, 200, 400])
            }
        }
    }

    /// Old clients send an empty line after their content (RFC 9112 section 2.2). It may come after the response and
    /// must not cost them that.
    @Test(arguments: ["HTTP/1.0", "HTTP/1.1"])
    func doesNotLoseTheResponseToAnEmptyLineAfterTheContent(version: String) async throws {
        try await withServer(answer: Self.sized) { server in
            try await onThread {
                for _ in 0..<50 {
                    let socket = try server.connect()
                    try socket.send(
                        "POST /200000 \(version)\r\nHost: x\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx")
                    #expect(try socket.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
                    try? socket.send("\r\n")
                    #expect(try socket.receiveAll().utf8.count == 200_000)
                }
            }
        }
    }

    @Test
    func servesTenThousandRequestsOnOneConnection() async throws {
        try await withServer { server in
            let socket = try server.connect()
            try await onThread {
                for round in 0..<100 {
                    try socket.send((0..<100).map { Self.get("/\(round)/\($0)") }.joined())
                    for number in 0..<100 { #expect(try socket.receiveResponse().body == "GET /\(round)/\(number) ") }
                }
            }
            #expect(server.server.statistics.requests == 10_000)
        }
    }
}

private final class CountedWork: BatchedWork {
    private let performed = Mutex(0)
    var count: Int { performed.withLock { $0 } }

    func perform() { performed.withLock { $0 += 1 } }
}
