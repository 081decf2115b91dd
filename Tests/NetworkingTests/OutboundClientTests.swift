import Foundation
import HTTPMessages
import Networking
import TestSupport
import Testing

/// The requests that a server makes by itself, of servers that may be anybody's.
@Suite struct OutboundClientTests {
    let group: EventLoopGroup

    init() throws {
        group = try EventLoopGroup(count: 1)
    }

    private func client(
        authorities: String? = nil, _ change: (inout OutboundLimits) -> Void = { _ in }
    ) throws -> OutboundClient {
        var limits = OutboundLimits()
        // A machine that is busy with other tests is no reason to give up.
        limits.deadline = .seconds(600)
        change(&limits)
        return try OutboundClient(
            group: group, limits: limits, additionalAuthorities: authorities,
            hosts: ["localhost": ["127.0.0.1"], "client.test": ["127.0.0.1"]])
    }

    private func request(
        _ method: HTTPRequest.Method = .get, scheme: String = "http", host: String = "127.0.0.1", port: Int,
        path: String = "/jwks.json"
    ) -> HTTPRequest {
        HTTPRequest(method: method, scheme: scheme, authority: "\(host):\(port)", path: path)
    }

    private func failure(_ body: () async throws(OutboundFailure) -> (HTTPResponse, [UInt8])) async -> OutboundFailure?
    {
        do throws(OutboundFailure) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    /// The answer of a listener that a test writes byte by byte.
    private func failure(answering answer: String, _ ending: TestListener.Ending = .finish) async throws
        -> OutboundFailure?
    {
        let listener = try TestListener()
        let client = try client()
        async let served: Void = onThread { try listener.answerOnce(answer, ending) }
        let failure = await failure { () async throws(OutboundFailure) in
            try await client.send(request(port: listener.port), body: [])
        }
        try await served
        return failure
    }

    @Test func fetchesAndPosts() async throws {
        try await withServer { server in
            let client = try client()
            let port = server.addresses[0].port!
            let (response, body) = try await client.send(request(port: port, path: "/a?b=c"), body: [])
            #expect(response.status == .ok)
            #expect(String(decoding: body, as: UTF8.self) == "GET /a?b=c ")
            let posted = try await client.send(
                request(.post, host: "client.test", port: port, path: "/p"), body: Array("logout_token=x".utf8))
            #expect(String(decoding: posted.1, as: UTF8.self) == "POST /p logout_token=x")
        }
    }

    /// Each on a connection of its own: a kept one may be closed just when a request is sent on it.
    @Test func keepsNoConnections() async throws {
        try await withServer { server in
            let client = try client()
            for _ in 0..<3 { _ = try await client.send(request(port: server.addresses[0].port!), body: []) }
            try await server.wait { $0.acceptedConnections == 3 && $0.openConnections == 0 }
        }
    }

    @Test(arguments: [HTTPResponse.Status.found, .seeOther, HTTPResponse.Status(code: 308, reasonPhrase: "")])
    func followsNoRedirects(status: HTTPResponse.Status) async throws {
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            ServerResponse(status: status, headerFields: [.location: "http://\(request.head.authority!)/elsewhere"])
        }
        try await withServer(answer: answer) { server in
            let (response, _) = try await client().send(request(port: server.addresses[0].port!), body: [])
            #expect(response.status == status)
            #expect(response.headerFields[.location] != nil)
            #expect(server.server.statistics.requests == 1)
        }
    }

    /// RFC 9110 section 9: what is not known here is sent as well, for it may be known there.
    @Test(arguments: [
        HTTPRequest.Method.put, .patch, .delete, .options, HTTPRequest.Method("PROPFIND")!, HTTPRequest.Method("get")!,
    ])
    func sendsEveryMethodWithItsContent(method: HTTPRequest.Method) async throws {
        try await withServer { server in
            let client = try client()
            let request = request(method, port: server.addresses[0].port!, path: "/thing")
            let (response, body) = try await client.send(request, body: Array("content".utf8))
            #expect(response.status == .ok)
            #expect(String(decoding: body, as: UTF8.self) == "\(method) /thing content")
            let (_, empty) = try await client.send(request, body: [])
            #expect(String(decoding: empty, as: UTF8.self) == "\(method) /thing ")
        }
    }

    /// RFC 9110 section 9.3.2: the length is that of a GET, and no content comes.
    @Test func asksForAHeadAlone() async throws {
        try await withServer { server in
            let client = try client()
            let (response, body) = try await client.send(request(.head, port: server.addresses[0].port!), body: [])
            #expect(response.status == .ok && body.isEmpty)
            #expect(response.headerFields[.contentLength] == "16")
        }
    }

    @Test(arguments: [HTTPRequest.Method.connect, HTTPRequest.Method("TRACE")!])
    func opensNoTunnelAndAsksForNoEcho(method: HTTPRequest.Method) async throws {
        try await withServer { server in
            let client = try client()
            let failure = await failure { () async throws(OutboundFailure) in
                try await client.send(request(method, port: server.addresses[0].port!), body: [])
            }
            #expect(failure == .notAllowed)
            #expect(server.server.statistics.acceptedConnections == 0)
        }
    }

    @Test func givesTheContentAsItComes() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            ServerResponse(
                status: .ok,
                body: .stream { writer in
                    try await writer.write(request.body)
                    await gate.wait()
                    try await writer.write(Array("second".utf8))
                })
        }
        try await withServer(answer: answer) { server in
            // More than a whole answer may have.
            let client = try client { $0.responseBytes = 8 }
            let sent = request(.put, port: server.addresses[0].port!)
            let (response, stream) = try await client.open(sent, body: Array("first".utf8))
            #expect(response.status == .ok)
            #expect(try await stream.next() == Array("first".utf8))
            await gate.open()
            await #expect(throws: NetworkingError.self) { while try await stream.next() != nil {} }
        }
    }

    @Test(
        arguments: [
            ("ftp", "127.0.0.1", "/"), ("HTTP", "127.0.0.1", "/"), ("unix", "127.0.0.1", "/"), (nil, "127.0.0.1", "/"),
            ("http", nil, "/"), ("http", "", "/"), ("http", "unix:/run/x", "/"), ("http", "/run/x", "/"),
            ("http", "user:secret@127.0.0.1", "/"), ("http", "127.0.0.1:0", "/"), ("http", "127.0.0.1", "no-slash"),
            ("http", "127.0.0.1", "/a b"), ("http", "127.0.0.1", "/\r\nX: y"), ("http", "127.0.0.1", "/#a"),
        ] as [(String?, String?, String?)])
    func refusesWhatIsNoURL(scheme: String?, authority: String?, path: String?) async throws {
        let client = try client()
        let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
        let failure = await failure { () async throws(OutboundFailure) in try await client.send(request, body: []) }
        #expect(failure == .invalidRequest)
    }

    @Test func refusesContentWithAGetAndFieldsThatBreakTheHead() async throws {
        let client = try client()
        var broken = request(.post, port: 1)
        broken.headerFields = [.accept: "a\r\nX: y"]
        for (request, body) in [(request(port: 1), [UInt8(1)]), (request(.head, port: 1), [1]), (broken, [])] {
            let failure = await failure { () async throws(OutboundFailure) in
                try await client.send(request, body: body)
            }
            #expect(failure == .invalidRequest)
        }
    }

    @Test func aServerThatIsNotThereIsUnreachable() async throws {
        // Bound and not listening, so that nobody else can take the port meanwhile.
        let bound = try TestListener(listens: false)
        let port = bound.port
        defer { withExtendedLifetime(bound) {} }
        let client = try client()
        for host in ["127.0.0.1", "localhost"] {
            let failure = await failure { () async throws(OutboundFailure) in
                try await client.send(request(host: host, port: port), body: [])
            }
            #expect(failure == .unreachable)
        }
    }

    @Test func aServerThatDoesNotAnswerTakesNoLongerThanTheDeadline() async throws {
        let listener = try TestListener()
        let client = try client { $0.deadline = .milliseconds(60) }
        for scheme in ["http", "https"] {
            let failure = await failure { () async throws(OutboundFailure) in
                try await client.send(request(scheme: scheme, port: listener.port), body: [])
            }
            #expect(failure == .timedOut)
        }
    }

    /// One byte now and then is no answer either.
    @Test func aServerThatAnswersWithoutAnEndTakesNoLongerThanTheDeadline() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { _ in
            ServerResponse(
                status: .ok,
                body: .stream { writer in
                    try await writer.write([0x61])
                    await gate.wait()
                })
        }
        try await withServer(answer: answer) { server in
            let client = try client { $0.deadline = .milliseconds(200) }
            let failure = await failure { () async throws(OutboundFailure) in
                try await client.send(request(port: server.addresses[0].port!), body: [])
            }
            #expect(failure == .timedOut)
            await gate.open()
        }
    }

    @Test(arguments: [(65_536, nil), (65_537, OutboundFailure.tooLarge), (1 << 20, .tooLarge)])
    func refusesAnAnswerThatIsTooLarge(size: Int, expected: OutboundFailure?) async throws {
        let pieces: @Sendable (ServerRequest) async -> ServerResponse = { request in
            let body = [UInt8](repeating: 0x61, count: size)
            guard request.head.path == "/chunks" else { return ServerResponse(status: .ok, body: .bytes(body)) }
            return ServerResponse(status: .ok, body: .stream { try await $0.write(body) })
        }
        try await withServer(answer: pieces) { server in
            let client = try client()
            for path in ["/length", "/chunks"] {
                let failure = await failure { () async throws(OutboundFailure) in
                    try await client.send(request(port: server.addresses[0].port!, path: path), body: [])
                }
                #expect(failure == expected)
            }
        }
    }

    @Test func refusesAHeadThatIsTooLarge() async throws {
        let fields = (0..<20).map { "X-\($0): \(String(repeating: "x", count: 1000))\r\n" }.joined()
        #expect(try await failure(answering: "HTTP/1.1 200 OK\r\n\(fields)\r\n") == .tooLarge)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 2OO OK\r\n\r\n", "<html></html>\r\n\r\n", "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
    ])
    func refusesWhatIsNoHTTP(answer: String) async throws {
        #expect(try await failure(answering: answer) == .notHTTP)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func refusesAnAnswerThatIsCutOff(answer: String) async throws {
        #expect(try await failure(answering: answer) == .unreachable)
    }

    @Test func sendsSoManyAtOnceAndNoMore() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { _ in
            await gate.wait()
            return ServerResponse(status: .ok)
        }
        try await withServer(answer: answer) { server in
            let client = try client { $0.requestsAtOnce = 3 }
            let request = request(port: server.addresses[0].port!)
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { tasks in
                for _ in 0..<3 { tasks.addTask { try await client.send(request, body: []).0.status } }
                try await server.wait { $0.acceptedConnections == 3 }
                for _ in 0..<2 {
                    let failure = await failure { () async throws(OutboundFailure) in
                        try await client.send(request, body: [])
                    }
                    #expect(failure == .tooManyAtOnce)
                }
                await gate.open()
                for try await status in tasks { #expect(status == .ok) }
            }
            // Those that have ended make room, the refused ones have taken none.
            for _ in 0..<4 { #expect(try await client.send(request, body: []).0.status == .ok) }
        }
    }

    @Test func isGivenUpWithItsTask() async throws {
        let listener = try TestListener()
        let client = try client { $0.requestsAtOnce = 1 }
        for _ in 0..<2 {
            let task = Task {
                await failure { () async throws(OutboundFailure) in
                    try await client.send(request(port: listener.port), body: [])
                }
            }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }

    // MARK: TLS

    @Test func trustsTheAuthoritiesThatItIsGiven() async throws {
        let (directory, context) = try TLSTests.automatic()
        try await withServer(listen: TLSTests.listener(context)) { server in
            let port = server.addresses[0].port!
            let client = try client(authorities: directory.path("tls/ca.pem"))
            for host in ["localhost", "127.0.0.1"] {
                let (response, _) = try await client.send(request(scheme: "https", host: host, port: port), body: [])
                #expect(response.status == .ok)
            }
            // A name that the certificate is not for.
            let failure = await failure { () async throws(OutboundFailure) in
                try await client.send(request(scheme: "https", host: "client.test", port: port), body: [])
            }
            #expect(failure == .notTrusted)
        }
    }

    @Test func trustsNobodyElse() async throws {
        let (_, context) = try TLSTests.automatic()
        let (other, _) = try TLSTests.automatic()
        try await withServer(listen: TLSTests.listener(context)) { server in
            for authorities in [nil, other.path("tls/ca.pem")] {
                let client = try client(authorities: authorities)
                let failure = await failure { () async throws(OutboundFailure) in
                    try await client.send(
                        request(scheme: "https", host: "localhost", port: server.addresses[0].port!), body: [])
                }
                #expect(failure == .notTrusted)
            }
        }
    }

    @Test func doesNotFallBackToPlainText() async throws {
        let answered = Count()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { _ in
            answered.increment()
            return ServerResponse(status: .ok)
        }
        try await withServer(answer: answer) { server in
            let client = try client()
            let failure = await failure { () async throws(OutboundFailure) in
                try await client.send(request(scheme: "https", port: server.addresses[0].port!), body: [])
            }
            #expect(failure == .notTrusted)
            #expect(answered.value == 0)
        }
    }

    @Test func refusesAFileWithoutAuthorities() {
        #expect(throws: NetworkingError.self) { try client(authorities: "/nonexistent/ca.pem") }
    }
}
