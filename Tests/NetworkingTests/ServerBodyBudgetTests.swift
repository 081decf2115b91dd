import HTTPMessages
import HTTPWire
import Networking
import Testing

/// What a server holds of content that is not complete, over all its connections.
@Suite struct ServerBodyBudgetTests {
    private static let half = 1000

    private static func post(count: Int = 2 * half) -> String {
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\n\r\n"
    }

    private static func content(_ count: Int = half) -> String { String(repeating: "a", count: count) }

    private static let size: @Sendable (ServerRequest) async -> ServerResponse = { request in
        ServerResponse(status: .ok, body: .bytes(Array("\(request.body.count)".utf8)))
    }

    private static func limits(_ bytes: Int) -> (inout ServerConfiguration) -> Void {
        {
            $0.limits.bodyBytes = 2 * half
            $0.connectionLimits.bufferedBodyBytes = bytes
        }
    }

    @Test(arguments: [1, 2])
    func refusesContentThatIsMoreThanTheServerHasRoomFor(loops: Int) async throws {
        try await withServer(loops: loops, configure: Self.limits(10 * Self.half), answer: Self.size) { server in
            let slow = try (0..<10).map { _ in try server.connect() }
            for socket in slow { try socket.send(Self.post() + Self.content()) }
            try await server.wait { $0.bytesReceived == 10 * (Self.post().utf8.count + Self.half) }
            for loop in server.group.loops { await loop.run {} }
            try await onThread {
                let late = try server.connect()
                try late.send(Self.post() + Self.content())
                let refusal = try late.receiveResponse()
                #expect(refusal.status == 503)
                #expect(refusal["retry-after"] == "1")
                #expect(refusal["connection"] == "close")
                #expect(try late.receiveAll() == "")
                // What comes whole does not have to be kept.
                let quick = try server.connect()
                try quick.send(Self.post(count: Self.half) + Self.content())
                #expect(try quick.receiveResponse().body == "\(Self.half)")
                // Those that had room have it, and what they give back is given out again.
                slow[0].close()
                try slow[1].send(Self.content())
                #expect(try slow[1].receiveResponse().body == "\(2 * Self.half)")
            }
            try await server.wait { $0.openConnections == 9 }
            let next = try server.connect()
            let before = server.server.statistics.bytesReceived
            try next.send(Self.post() + Self.content())
            try await server.wait { $0.bytesReceived == before + Self.post().utf8.count + Self.half }
            try await onThread {
                try next.send(Self.content())
                #expect(try next.receiveResponse().body == "\(2 * Self.half)")
            }
            // A socket that nobody uses any more would be closed, and give its room back.
            withExtendedLifetime(slow) {}
        }
    }

    @Test func alwaysHasRoomForOneRequestOfTheLargestSize() async throws {
        try await withServer(configure: Self.limits(1), answer: Self.size) { server in
            for _ in 0..<20 {
                let socket = try server.connect()
                let before = server.server.statistics.bytesReceived
                try socket.send(Self.post() + Self.content())
                try await server.wait { $0.bytesReceived == before + Self.post().utf8.count + Self.half }
                for loop in server.group.loops { await loop.run {} }
                try await onThread {
                    try socket.send(Self.content())
                    #expect(try socket.receiveResponse().body == "\(2 * Self.half)")
                    socket.close()
                }
                try await server.wait { $0.openConnections == 0 }
            }
        }
    }

    @Test func answersWhatItHasBegunAndRefusesAllThatWaits() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            await gate.wait()
            return await Self.size(request)
        }
        try await withServer(configure: Self.limits(3 * Self.half), answer: answer) { server in
            let socket = try server.connect()
            let whole = Self.post() + Self.content(2 * Self.half)
            try socket.send(whole + whole + whole)
            try await server.wait { $0.bytesReceived == 3 * whole.utf8.count }
            // Received is not looked at yet.
            for loop in server.group.loops { await loop.run {} }
            await gate.open()
            try await onThread {
                #expect(try socket.receiveResponse().body == "\(2 * Self.half)")
                #expect(try socket.receiveResponse().status == 503)
                #expect(try socket.receiveAll() == "")
                // Nothing of it is held any more.
                let next = try server.connect()
                try next.send(whole)
                #expect(try next.receiveResponse().status == 200)
            }
        }
    }
}
