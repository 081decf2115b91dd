import Foundation
import HTTPMessages
import HTTPWire
import Networking
import TestSupport
import Testing

@Suite struct HTTPClientTests {
    let group: EventLoopGroup
    let get = HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/a?b")

    init() throws {
        group = try EventLoopGroup(count: 1)
    }

    func client(_ configure: (inout ClientConfiguration) -> Void = { _ in }) -> HTTPClient {
        var configuration = ClientConfiguration()
        // A machine that is busy with other tests is no reason to give up.
        configuration.connectTimeout = .seconds(600)
        configuration.responseTimeout = .seconds(600)
        configuration.idleTimeout = .seconds(600)
        configure(&configuration)
        return HTTPClient(group: group, configuration: configuration)
    }

    @Test func sendsAndReceives() async throws {
        try await withServer { server in
            let post = HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/p")
            let (response, body) = try await client().send(post, body: Array("hello".utf8), to: server.address)
            #expect(response.status == .ok)
            #expect(response.headerFields[.contentType] == "text/plain")
            #expect(String(decoding: body, as: UTF8.self) == "POST /p hello")
        }
    }

    @Test func usesAConnectionAgain() async throws {
        try await withServer { server in
            let client = client()
            for _ in 0..<50 { _ = try await client.send(get, to: server.address) }
            #expect(server.server.statistics.acceptedConnections == 1)
            #expect(server.server.statistics.requests == 50)
        }
    }

    @Test func sendsManyAtOnce() async throws {
        try await withServer { server in
            let client = client()
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for task in 0..<20 {
                    tasks.addTask {
                        for number in 0..<20 {
                            let path = "/\(task)/\(number)"
                            let request = HTTPRequest(method: .get, scheme: "http", authority: "x", path: path)
                            let (_, body) = try await client.send(request, to: server.address)
                            #expect(String(decoding: body, as: UTF8.self) == "GET \(path) ")
                        }
                    }
                }
                try await tasks.waitForAll()
            }
            #expect(server.server.statistics.requests == 400)
            #expect(server.server.statistics.acceptedConnections <= 20)
        }
    }

    @Test func findsTheNextConnectionWhenTheServerHasClosedTheLast() async throws {
        try await withServer(configure: { $0.deadlines.idle = .milliseconds(30) }) { server in
            let client = client()
            for round in 1...3 {
                _ = try await client.send(get, to: server.address)
                try await server.wait { $0.openConnections == 0 && $0.acceptedConnections == round }
            }
        }
    }

    @Test func opensAnotherConnectionAfterClose() async throws {
        try await withServer { server in
            let client = client()
            for _ in 0..<2 {
                var request = get
                request.headerFields[.connection] = "close"
                _ = try await client.send(request, to: server.address)
            }
            #expect(server.server.statistics.requests == 2)
        }
    }

    @Test func joinsAStreamedResponse() async throws {
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { _ in
            ServerResponse(
                status: .ok,
                body: .stream { writer in
                    for _ in 0..<100 { try await writer.write([UInt8](repeating: 0x61, count: 1000)) }
                })
        }
        try await withServer(answer: answer) { server in
            let (_, body) = try await client().send(get, to: server.address)
            #expect(body == [UInt8](repeating: 0x61, count: 100_000))
        }
    }

    @Test func refusesAResponseThatIsCutOff() async throws {
        struct Broken: Error {}
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { _ in
            ServerResponse(
                status: .ok,
                body: .stream { writer in
                    try await writer.write([0x61])
                    throw Broken()
                })
        }
        try await withServer(answer: answer) { server in
            let error = await #expect(throws: NetworkingError.self) {
                try await client().send(get, to: server.address)
            }
            #expect(error?.kind == .connectionClosed)
        }
    }

    @Test func refusesAResponseThatIsTooLarge() async throws {
        try await withServer(answer: { _ in
            ServerResponse(status: .ok, body: .bytes([UInt8](repeating: 1, count: 1001)))
        }) {
            server in
            let error = await #expect(throws: NetworkingError.self) {
                try await client { $0.limits.bodyBytes = 1000 }.send(get, to: server.address)
            }
            #expect(error?.kind == .responseTooLarge)
        }
    }

    @Test func givesUpWaiting() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            await gate.wait()
            return await TestServer.echo(request)
        }
        try await withServer(answer: answer) { server in
            let error = await #expect(throws: NetworkingError.self) {
                try await client { $0.responseTimeout = .milliseconds(50) }.send(get, to: server.address)
            }
            #expect(error?.kind == .timedOut)
            await gate.open()
        }
    }

    @Test func givesUpWhenItsTaskIsCancelled() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            await gate.wait()
            return await TestServer.echo(request)
        }
        try await withServer(answer: answer) { server in
            let client = client()
            let task = Task { try await client.send(get, to: server.address) }
            try await server.wait { $0.bytesReceived > 0 }
            task.cancel()
            let error = await #expect(throws: NetworkingError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
            let late = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await client.send(get, to: server.address)
            }
            await #expect(throws: NetworkingError.self) { try await late.value }
            await gate.open()
        }
    }

    @Test func saysThatNobodyListens() async throws {
        let server = try await TestServer()
        await server.stop()
        let error = await #expect(throws: NetworkingError.self) { try await client().send(get, to: server.address) }
        #expect(error?.kind == .connectionRefused)
        let missing = await #expect(throws: NetworkingError.self) {
            try await client().send(get, to: .unix(path: "/nowhere/pawl.sock"))
        }
        #expect(missing?.kind == .connectionRefused)
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func connectsToNames(_ host: String) async throws {
        try await withServer { server in
            let (response, _) = try await client().send(get, to: .ip(host: host, port: server.addresses[0].port!))
            #expect(response.status == .ok)
        }
    }

    @Test func connectsToUnixSockets() async throws {
        let directory = try TemporaryDirectory()
        try await withServer(listen: [.init(.unix(path: directory.path("s")))]) { server in
            let client = client()
            for _ in 0..<3 { _ = try await client.send(get, to: server.address) }
            #expect(server.server.statistics.acceptedConnections == 1)
        }
    }

    @Test func answersAHeadWithoutContent() async throws {
        try await withServer { server in
            let client = client()
            for _ in 0..<2 {
                var request = get
                request.method = .head
                let (response, body) = try await client.send(request, to: server.address)
                #expect(response.headerFields[.contentLength] == "10")
                #expect(body.isEmpty)
            }
            #expect(server.server.statistics.acceptedConnections == 1)
        }
    }

    @Test(arguments: ["/a b", "/a\r\nX: y", "a"])
    func refusesToSendATargetThatIsNone(_ path: String) async throws {
        try await withServer { server in
            let request = HTTPRequest(method: .get, scheme: "http", authority: "x", path: path)
            await #expect(throws: NetworkingError.self) { try await client().send(request, to: server.address) }
            #expect(server.server.statistics.acceptedConnections == 0)
        }
    }

    // MARK: TLS

    @Test(arguments: ["localhost", "127.0.0.1"])
    func trustsTheAuthorityItWasGiven(_ name: String) async throws {
        let (directory, context) = try TLSTests.automatic()
        let trust = try TLSClientContext(trust: .authorities(file: directory.path("tls/ca.pem")))
        try await withServer(listen: TLSTests.listener(context)) { server in
            let client = client { $0.tls = trust }
            let request = HTTPRequest(method: .get, scheme: "https", authority: "\(name):1", path: "/a")
            for _ in 0..<3 {
                let (response, _) = try await client.send(request, to: server.address)
                #expect(response.status == .ok)
            }
            #expect(server.server.statistics.acceptedConnections == 1)
        }
    }

    /// The request comes right behind the end of the handshake, and may be read with it.
    @Test func answersTheFirstRequestOfManyConnections() async throws {
        let (directory, context) = try TLSTests.automatic()
        let trust = try TLSClientContext(trust: .authorities(file: directory.path("tls/ca.pem")))
        try await withServer(listen: TLSTests.listener(context)) { server in
            let client = client {
                $0.tls = trust
                $0.idleConnections = 0
                $0.responseTimeout = .seconds(60)
            }
            let request = HTTPRequest(method: .get, scheme: "https", authority: "localhost", path: "/a")
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<2 {
                    tasks.addTask {
                        for _ in 0..<200 { _ = try await client.send(request, to: server.address) }
                    }
                }
                try await tasks.waitForAll()
            }
            #expect(server.server.statistics.acceptedConnections == 400)
        }
    }

    @Test func trustsNoOtherName() async throws {
        let (directory, context) = try TLSTests.automatic()
        let trust = try TLSClientContext(trust: .authorities(file: directory.path("tls/ca.pem")))
        try await withServer(listen: TLSTests.listener(context)) { server in
            let request = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")
            let error = await #expect(throws: NetworkingError.self) {
                try await client { $0.tls = trust }.send(request, to: server.address)
            }
            #expect(error?.kind == .tls)
            #expect(error?.description.contains("hostname mismatch") == true)
        }
    }

    @Test func trustsNoOtherAuthority() async throws {
        let (_, context) = try TLSTests.automatic()
        let (other, _) = try TLSTests.automatic()
        let trusts = [
            try TLSClientContext(), try TLSClientContext(trust: .authorities(file: other.path("tls/ca.pem"))),
        ]
        try await withServer(listen: TLSTests.listener(context)) { server in
            let request = HTTPRequest(method: .get, scheme: "https", authority: "localhost", path: "/a")
            for trust in trusts {
                let error = await #expect(throws: NetworkingError.self) {
                    try await client { $0.tls = trust }.send(request, to: server.address)
                }
                #expect(error?.kind == .tls)
            }
            await #expect(throws: NetworkingError.self) { try await client().send(request, to: server.address) }
            #expect(server.server.statistics.requests == 0)
        }
    }

    @Test func saysThatAServerDoesNotSpeakTLS() async throws {
        let trust = try TLSClientContext()
        try await withServer { server in
            let request = HTTPRequest(method: .get, scheme: "https", authority: "localhost", path: "/a")
            let error = await #expect(throws: NetworkingError.self) {
                try await client { $0.tls = trust }.send(request, to: server.address)
            }
            #expect(error?.kind == .tls)
        }
    }
}
