import HTTPMessages
import Networking
import Testing

/// What is answered where no handler is asked is said in the words of whoever runs the server.
@Suite struct RefusalTests {
    private static let injected: ServerConfiguration.RefusalRenderer = { status, reason in
        ServerResponse(status: status, headerFields: [.contentType: "text/x"], body: .bytes(Array("<\(reason)>".utf8)))
    }

    private static func refused(
        _ request: String, renderer: ServerConfiguration.RefusalRenderer?, answer: ServerResponse
    ) async throws -> TestResponse {
        try await withServer(
            configure: {
                $0.connectionLimits.connections = 1
                if let renderer { $0.refusalRenderer = renderer }
            }, answer: { _ in answer }
        ) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(request)
                return try socket.receiveResponse()
            }
        }
    }

    private static let fine = ServerResponse(status: .ok)

    @Test func speaksPlainTextUnlessToldOtherwise() async throws {
        let response = try await Self.refused("GET / HTTP/3.0\r\n", renderer: nil, answer: Self.fine)
        #expect(response.status == 505)
        #expect(response["content-type"] == "text/plain")
        #expect(response["cache-control"] == "no-store")
        #expect(response.body.hasSuffix("\n"))
        #expect(!response.body.contains("error"))
    }

    @Test func speaksAsItIsToldTo() async throws {
        let response = try await Self.refused("GET / HTTP/3.0\r\n", renderer: Self.injected, answer: Self.fine)
        #expect(response.status == 505)
        #expect(response["content-type"] == "text/x")
        #expect(response["connection"] == "close")
        #expect(response.body.hasPrefix("<"))
    }

    @Test func saysWhenToComeBackWhateverTheRendererSays() async throws {
        try await withServer(
            configure: {
                $0.connectionLimits.connections = 1
                $0.refusalRenderer = Self.injected
            }
        ) { server in
            let first = try server.connect()
            try await server.wait { $0.openConnections == 1 }
            try await onThread {
                let response = try server.connect().receiveResponse()
                #expect(response.status == 503)
                #expect(response["retry-after"] == "1")
                #expect(response.body == "<too many connections>")
                first.close()
            }
        }
    }

    private static let split = HTTPFields([HTTPField(name: .cacheControl, value: "a\r\nb")])

    @Test func replacesAResponseThatCannotBeSent() async throws {
        let response = try await Self.refused(
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n", renderer: Self.injected,
            answer: ServerResponse(status: .ok, headerFields: Self.split))
        #expect(response.status == 500)
        #expect(response.body == "<the response could not be written>")
    }

    /// The renderer's own response may be what cannot be sent.
    @Test(arguments: ["GET / HTTP/3.0\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"])
    func fallsBackOnPlainText(request: String) async throws {
        let response = try await Self.refused(
            request, renderer: { status, _ in ServerResponse(status: status, headerFields: Self.split) },
            answer: ServerResponse(status: .ok, headerFields: Self.split))
        #expect(response.status == 500)
        #expect(response["content-type"] == "text/plain")
        #expect(response.body == "the response could not be written\n")
    }
}
