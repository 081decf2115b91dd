import HTTPMessages
import HTTPWire
import Networking
import Primitives
import Testing

/// However a client goes, its place becomes free, and the others are served.
@Suite(.timeLimit(.minutes(2))) struct RawSocketEndingTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

    /// Bytes after which a client goes.
    private static let beginnings = [
        "", "G", "GET / HTTP/1.1\r\n", get, get + "GET", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n", "\0", "\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", get + get + get, get + "\0",
    ]

    @Test(arguments: ["close", "half-close", "half-close without reading"])
    func freesThePlace(ending: String) async throws {
        try await withServer(loops: 2) { server in
            try await onThread {
                for _ in 0..<10 {
                    for beginning in Self.beginnings {
                        let socket = try server.connect()
                        try socket.send(beginning)
                        switch ending {
                        case "close": socket.close()
                        case "half-close":
                            socket.finishSending()
                            _ = try? socket.receiveAll()
                        default:
                            socket.finishSending()
                            socket.close()
                        }
                    }
                }
            }
            try await server.wait { $0.openConnections == 0 && $0.acceptedConnections == 120 }
            let socket = try server.connect()
            try await onThread {
                try socket.send(Self.get)
                #expect(try socket.receiveResponse().body == "GET /a ")
            }
        }
    }

    /// Over the limit there is an answer and an end, and no place is lost by it.
    @Test
    func turnsAwayTheOnesOverTheLimitAndOnlyThose() async throws {
        try await withServer(configure: { $0.connectionLimits.connections = 3 }) { server in
            for _ in 0..<20 {
                let sockets = try (0..<3).map { _ in try server.connect() }
                try await onThread {
                    for socket in sockets {
                        try socket.send(Self.get)
                        #expect(try socket.receiveResponse().status == 200)
                    }
                    for _ in 0..<3 {
                        let over = try server.connect()
                        let answer = try over.receiveAnswer()
                        #expect(answer.statuses == [503])
                        #expect(answer.responses.first?.head.keepAlive == false)
                        over.close()
                    }
                    for socket in sockets {
                        try socket.send(Self.get)
                        #expect(try socket.receiveResponse().status == 200)
                        socket.close()
                    }
                }
                try await server.wait { $0.openConnections == 0 }
            }
            #expect(server.server.statistics.refusedConnections == 60)
        }
    }

    /// A client that is over the limit and sends its request at once must read its 503, not a reset.
    @Test
    func aClientOverTheLimitThatHasSentItsRequestReadsWhy() async throws {
        try await withServer(configure: { $0.connectionLimits.connections = 1 }) { server in
            let first = try server.connect()
            try await onThread {
                try first.send(Self.get)
                #expect(try first.receiveResponse().status == 200)
                for _ in 0..<50 {
                    let over = try server.connect()
                    try over.send(Self.get + String(repeating: "x", count: 1000))
                    #expect(try over.receiveAnswer().statuses == [503])
                }
            }
        }
    }

    /// Random bytes in random pieces on many connections at once: the server answers what is HTTP or closes, and is
    /// there afterwards.
    @Test(arguments: 1...4)
    func survivesWhateverIsSent(seed: UInt64) async throws {
        try await withServer(loops: 2) { server in
            try await onThread {
                let random = SeededRandom(seed: seed)
                func below(_ limit: Int) -> Int { Int(random.bytes(3).reduce(0) { $0 << 8 | UInt32($1) }) % limit }
                for _ in 0..<60 {
                    let sockets = try (0..<5).map { _ in try server.connect() }
                    for _ in 0..<20 {
                        let fixture = RawSocketFixture.all[below(RawSocketFixture.all.count)].bytes
                        let cut = fixture.prefix(below(fixture.count + 1) + below(2) * fixture.count)
                        try? sockets[below(5)].send(Array(cut))
                    }
                    for socket in sockets {
                        if below(3) > 0 {
                            socket.finishSending()
                            _ = try? socket.receiveAll()
                        }
                        socket.close()
                    }
                }
            }
            try await server.wait { $0.openConnections == 0 }
            let socket = try server.connect()
            try await onThread {
                try socket.send(Self.get)
                #expect(try socket.receiveResponse().body == "GET /a ")
            }
        }
    }
}
