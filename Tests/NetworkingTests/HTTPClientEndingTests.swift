import HTTPMessages
import Networking
import TestSupport
import Testing

/// A response without a length is complete only when the connection ends as it should (RFC 9112 sections 8 and 9.8).
@Suite struct HTTPClientEndingTests {
    let group: EventLoopGroup

    init() throws {
        group = try EventLoopGroup(count: 1)
    }

    // MARK: Plain

    private func response(
        to answer: String, _ ending: TestListener.Ending, sending body: [UInt8] = []
    ) async throws -> (HTTPResponse, [UInt8]) {
        let listener = try TestListener()
        var configuration = ClientConfiguration()
        // The other end may have to wait until all other tests have had their turn.
        configuration.responseTimeout = .seconds(600)
        let client = HTTPClient(group: group, configuration: configuration)
        let request = HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/")
        async let served: Void = onThread { try listener.answerOnce(answer, ending) }
        let outcome = try await client.send(request, body: body, to: .ip(host: "127.0.0.1", port: listener.port))
        try await served
        return outcome
    }

    @Test func takesAnEndForTheEnd() async throws {
        let (response, body) = try await response(to: "HTTP/1.1 200 OK\r\n\r\nwhole", .finish)
        #expect(response.status == .ok)
        #expect(String(decoding: body, as: UTF8.self) == "whole")
    }

    @Test func refusesAResponseThatAResetCutOff() async throws {
        let error = await #expect(throws: NetworkingError.self) {
            try await response(to: "HTTP/1.1 200 OK\r\n\r\npart", .reset)
        }
        #expect(error?.kind == .connectionClosed)
    }

    @Test func aResetAfterTheLastByteTakesNothingAway() async throws {
        let (_, body) = try await response(to: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole", .reset)
        #expect(String(decoding: body, as: UTF8.self) == "whole")
    }

    /// The error is told to whoever asks first, and that is the one who writes.
    @Test func refusesAResponseThatAResetCutOffWhileTheRequestWasSent() async throws {
        let error = await #expect(throws: NetworkingError.self) {
            try await response(
                to: "HTTP/1.1 200 OK\r\n\r\npart", .reset, sending: [UInt8](repeating: 0, count: 16 << 20))
        }
        #expect(error?.kind == .connectionClosed)
    }

    @Test func takesAnEndForTheEndThoughTheRequestWasNotRead() async throws {
        let (_, body) = try await response(
            to: "HTTP/1.1 413 No\r\n\r\nwhole", .finishAndReset, sending: [UInt8](repeating: 0, count: 16 << 20))
        #expect(String(decoding: body, as: UTF8.self) == "whole")
    }

    // MARK: TLS

    /// Answers one request through TLS, without a length, and ends as it is told to.
    private static let program = """
        import os, socket, ssl, struct, sys
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        connection, _ = listener.accept()
        below = socket.socket(fileno=os.dup(connection.fileno()))
        stream = context.wrap_socket(connection, server_side=True)
        received = b""
        while not received.endswith(b"\\r\\n\\r\\n"): received += stream.recv(4096)
        stream.sendall(b"HTTP/1.1 200 OK\\r\\n\\r\\npart")
        ending = sys.argv[3]
        if ending == "goodbye":
            try: stream.unwrap()
            except OSError: pass
        elif ending == "reset":
            below.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif ending == "forgery":
            below.sendall(b"\\x17\\x03\\x03\\x00\\x20" + bytes(32))
            below.recv(4096)
        stream.close()
        below.close()
        """

    private func responseThroughTLS(_ ending: String) async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let context = try TLSServerContext(.automatic(directory: directory.path("tls")))
        let authority = try #require(context.localAuthority)
        let server = try RunningProcess(
            try #require(ProcessRunner.find("python3")),
            ["-c", Self.program, authority.leafPath, authority.leafKeyPath, ending],
            environment: ProcessRunner.environment)
        let line = try #require(await server.output.first { _ in true })
        let port = try #require(Int(line))
        let trust = try TLSClientContext(trust: .authorities(file: authority.authorityPath))
        let client = HTTPClient(group: group, configuration: ClientConfiguration(tls: trust))
        let request = HTTPRequest(method: .get, scheme: "https", authority: "localhost", path: "/")
        return try await client.send(request, to: .ip(host: "127.0.0.1", port: port)).1
    }

    @Test func takesAClosureAlertForTheEnd() async throws {
        #expect(String(decoding: try await responseThroughTLS("goodbye"), as: UTF8.self) == "part")
    }

    /// Anybody on the way can end a connection; nobody but the server can say goodbye in its name.
    @Test(arguments: ["cut", "reset", "forgery"])
    func refusesAResponseThatEndsWithoutAClosureAlert(_ ending: String) async throws {
        let error = await #expect(throws: NetworkingError.self) { try await responseThroughTLS(ending) }
        #expect(error?.kind == .connectionClosed)
    }
}
