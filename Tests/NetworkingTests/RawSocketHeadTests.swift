import HTTPMessages
import HTTPWire
import Networking
import Testing

/// Responses without content: a byte of content after one of them would be read as the beginning of the next response.
@Suite(.timeLimit(.minutes(2))) struct RawSocketHeadTests {
    private static let content: @Sendable (ServerRequest) async -> ServerResponse = { request in
        let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        switch request.head.path {
        case "/stream":
            return ServerResponse(status: .ok, body: .stream { try await $0.write(bytes) })
        case "/204": return ServerResponse(status: .noContent, body: .bytes(bytes))
        case "/304": return ServerResponse(status: .notModified, body: .bytes(bytes))
        case "/204-stream": return ServerResponse(status: .noContent, body: .stream { try await $0.write(bytes) })
        case "/none": return ServerResponse(status: .ok)
        default: return ServerResponse(status: .ok, body: .bytes(bytes))
        }
    }

    @Test(arguments: [
        "HEAD /", "HEAD /stream", "HEAD /none", "HEAD /204", "GET /204", "GET /304", "GET /204-stream",
        "HEAD /204-stream", "POST /304",
    ])
    func areFollowedByTheNextResponse(line: String) async throws {
        try await withServer(answer: Self.content) { server in
            try await onThread {
                for separately in [false, true] {
                    let socket = try server.connect()
                    let first = "\(line) HTTP/1.1\r\nHost: x\r\n\r\n"
                    let second = "GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                    if separately {
                        try socket.send(first)
                        _ = try socket.receive(until: "\r\n\r\n")
                        try socket.send(second)
                        #expect(try socket.receiveAnswer().statuses == [200])
                    } else {
                        try socket.send(first + second)
                        let method = try #require(HTTPRequest.Method(String(line.prefix { $0 != " " })))
                        let answer = try socket.receiveAnswer(to: [method, .get])
                        #expect(answer.failure == nil)
                        #expect(answer.responses.map(\.body) == ["", ""])
                    }
                }
            }
        }
    }

    /// RFC 9110 section 8.6: the length that GET would have had, and none with 204.
    @Test(arguments: [("HEAD /", "38"), ("HEAD /204", nil), ("GET /204", nil), ("GET /none", "0")])
    func sayTheLengthThatTheyMaySay(line: String, length: String?) async throws {
        try await withServer(answer: Self.content) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("\(line) HTTP/1.1\r\nHost: x\r\n\r\n")
                let head = TestResponse(head: try socket.receive(until: "\r\n\r\n"), body: "")
                #expect(head["content-length"] == length)
                #expect(head["transfer-encoding"] == nil)
            }
        }
    }

    /// A failure says so with content, and the connection ends, so that nothing can be taken for something else.
    @Test
    func aHEADThatIsRefusedEndsTheConnection() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("HEAD / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try socket.receiveAnswer().statuses == [400])
            }
        }
    }
}
