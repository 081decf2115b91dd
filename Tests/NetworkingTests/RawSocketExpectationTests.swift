import HTTPMessages
import HTTPWire
import Networking
import Testing

@Suite(.timeLimit(.minutes(2))) struct RawSocketExpectationTests {
    private static func post(_ length: Int, _ lines: String = "") -> String {
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\(lines)\r\n"
    }

    /// RFC 9110 section 10.1.1: exactly one interim response, and only for a client that waits.
    @Test
    func tellsAClientThatWaitsToContinueOnce() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.post(6, "Expect: 100-continue\r\n"))
                #expect(try socket.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                for piece in ["ab", "cd", "ef"] { try socket.send(piece) }
                #expect(try socket.receiveResponse().body == "POST / abcdef")
                try socket.send(Self.post(1) + "x")
                #expect(try socket.receiveResponse().body == "POST / x")
            }
        }
    }

    /// In its turn: an interim response before the response to an earlier request would be taken for that one's.
    @Test
    func tellsAPipelinedClientToContinueAfterTheResponseBefore() async throws {
        let gate = Gate()
        let echo = TestServer.echo
        try await withServer(answer: { request in
            if request.head.path == "/slow" { await gate.wait() }
            return await echo(request)
        }) { server in
            let socket = try server.connect()
            try await onThread {
                let slow = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"
                try socket.send(slow + Self.post(1, "Expect: 100-continue\r\n"))
            }
            try await server.wait { $0.bytesReceived > 80 }
            await gate.open()
            try await onThread {
                #expect(try socket.receiveResponse().body == "GET /slow ")
                #expect(try socket.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                try socket.send("x")
                #expect(try socket.receiveResponse().body == "POST / x")
            }
        }
    }

    @Test(arguments: [
        ("Expect: something-else\r\n", 1, 417), ("Expect: 100-continue\r\n", 1 << 30, 413),
        ("Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n", 1, 400),
        ("Expect: 100-continue\r\nHost: y\r\n", 1, 400),
    ])
    func tellsNobodyToContinueWhoIsRefused(lines: String, length: Int, status: Int) async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.post(length, lines))
                let answer = try socket.receiveAnswer(to: [.post])
                #expect(answer.interimCount == 0)
                #expect(answer.statuses == [status])
            }
        }
    }

    @Test
    func tellsAnOldClientNothing() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\nx")
                let answer = try socket.receiveAnswer(to: [.post])
                #expect(answer.interimCount == 0)
                #expect(answer.responses.map(\.body) == ["POST / x"])
            }
        }
    }

    /// The content that the client was told to hold back is not read as the next request.
    @Test
    func doesNotReadTheContentOfARefusedRequestAsARequest() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                let smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
                try socket.send(Self.post(smuggled.utf8.count, "Expect: x\r\n") + smuggled)
                let answer = try socket.receiveAnswer(to: [.post])
                #expect(answer.statuses == [417])
            }
        }
    }
}
