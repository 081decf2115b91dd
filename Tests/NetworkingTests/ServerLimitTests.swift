import Foundation
import HTTPMessages
import HTTPWire
import Networking
import Testing

@Suite struct ServerLimitTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        let status: Int
        let request: String

        var testDescription: String { "\(status) \(request.prefix(40).debugDescription)" }
    }

    @Test(arguments: [
        Refused(status: 414, request: "GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: x\r\n\r\n"),
        Refused(status: 431, request: "GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 40_000))\r\n\r\n"),
        Refused(status: 431, request: "GET / HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 101))\r\n"),
        Refused(status: 413, request: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n"),
        Refused(status: 413, request: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n"),
        Refused(status: 417, request: "GET / HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n"),
        Refused(status: 400, request: "GET / HTTP/1.1\r\n\r\n"),
        Refused(status: 400, request: "GET / HTTP/1.1\nHost: x\n\n"),
        Refused(
            status: 400,
            request: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Refused(status: 501, request: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
        Refused(status: 505, request: "GET / HTTP/3.0\r\nHost: x\r\n\r\n"),
    ])
    func refusesAndCloses(_ refused: Refused) async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                // What follows is not answered.
                try socket.send(refused.request + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
                let response = try socket.receiveResponse()
                #expect(response.status == refused.status)
                #expect(response["connection"] == "close")
                #expect(response["content-type"] == "text/plain")
                #expect(response.body.utf8.count > 1)
                #expect(try socket.receiveAll() == "")
            }
            #expect(server.server.statistics.responsesByClass[1] == 0)
        }
    }

    @Test func aClientThatGoesOnSendingReadsWhyItIsRefused() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6000000\r\n\r\n")
                // A connection closed with these unread would be reset, and the answer with it.
                for _ in 0..<60 { try socket.send([UInt8](repeating: 0x61, count: 100_000)) }
                let response = try socket.receiveResponse()
                #expect(response.status == 413)
            }
        }
    }

    @Test func cutsOffAClientThatNeverStopsSending() async throws {
        try await withServer(configure: { $0.deadlines.lingering = .seconds(60) }) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 600000000\r\n\r\n")
                #expect(throws: TestSocket.Failure.self) {
                    for _ in 0..<600 { try socket.send([UInt8](repeating: 0x61, count: 1_000_000)) }
                }
            }
        }
    }

    @Test func refusesOneConnectionTooMany() async throws {
        try await withServer(configure: { $0.connectionLimits.connections = 2 }) { server in
            try await onThread {
                let kept = [try server.connect(), try server.connect()]
                for socket in kept {
                    try socket.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                    _ = try socket.receiveResponse()
                }
                let late = try server.connect()
                try late.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                let response = try late.receiveResponse()
                #expect(response.status == 503)
                #expect(response["retry-after"] == "1")
                #expect(response["connection"] == "close")
                #expect(try late.receiveAll() == "")
                try kept[0].send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try kept[0].receiveResponse().body == "GET /b ")
            }
            #expect(server.server.statistics.refusedConnections == 1)
            // Places that are given back are given out again.
            try await server.wait { $0.openConnections == 0 }
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try socket.receiveResponse().status == 200)
            }
        }
    }

    @Test func refusesTooManyWaitingRequests() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            await gate.wait()
            return await TestServer.echo(request)
        }
        try await withServer(configure: { $0.connectionLimits.pipelinedRequests = 3 }, answer: answer) { server in
            let socket = try server.connect()
            try socket.send((0..<9).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            try await server.wait { $0.bytesReceived > 200 }
            await gate.open()
            try await onThread {
                // One was being answered and three waited.
                for number in 0..<4 {
                    let response = try socket.receiveResponse()
                    #expect(response.body == "GET /\(number) ")
                }
                let refusal = try socket.receiveResponse()
                #expect(refusal.status == 503)
                #expect(refusal["connection"] == "close")
                #expect(try socket.receiveAll() == "")
            }
        }
    }

    @Test func readsNoFurtherThanItHasRoomForWaitingContent() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            await gate.wait()
            return ServerResponse(status: .ok, body: .bytes(Array("\(request.body.count)".utf8)))
        }
        try await withServer(configure: { $0.connectionLimits.pipelinedBodyBytes = 1000 }, answer: answer) { server in
            let socket = try server.connect()
            let post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n"
            let sending = Task {
                try await onThread {
                    for _ in 0..<20 { try socket.send(post + String(repeating: "a", count: 60_000)) }
                }
            }
            try await server.wait { $0.bytesReceived > 60_000 }
            var before = 0
            while server.server.statistics.bytesReceived != before {
                before = server.server.statistics.bytesReceived
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(before < 300_000)
            await gate.open()
            try await sending.value
            try await onThread {
                for _ in 0..<20 {
                    let response = try socket.receiveResponse()
                    #expect(response.body == "60000")
                }
            }
        }
    }

    @Test func servesOnWhenItIsOutOfDescriptors() async {
        await #expect(processExitsWith: .success) {
            let server = try await TestServer()
            let first = try server.connect()
            try first.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            guard try first.receiveResponse().status == 200 else { exit(2) }
            var clients: [TestSocket] = []
            for _ in 0..<20 { clients.append(try server.connect()) }
            try await server.wait { $0.openConnections == 21 }
            // From here on nothing can be opened: what connects is already a socket of ours.
            var sockets: [Int32] = []
            for _ in 0..<5 { sockets.append(socket(AF_INET, 1, 0)) }
            var limit = rlimit(rlim_cur: rlim_t(sockets.last! + 1), rlim_max: 4096)
            setrlimit(__rlimit_resource_t(7), &limit)  // RLIMIT_NOFILE
            guard case .ip(_, let port) = server.address else { exit(3) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            for descriptor in sockets {
                let code = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
                guard code == 0 else { exit(4) }
            }
            // They are told, or at least closed, and do not hang.
            for descriptor in sockets {
                var patience = timeval(tv_sec: 5, tv_usec: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
                var byte: UInt8 = 0
                while true {
                    let count = recv(descriptor, &byte, 1, 0)
                    if count < 0, errno == EAGAIN { exit(8) }
                    if count <= 0 { break }
                }
            }
            guard server.server.statistics.refusedConnections == 5 else { exit(5) }
            // Those that are in are served.
            for client in clients {
                try client.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
                guard try client.receiveResponse().status == 200 else { exit(6) }
            }
            // With room again, others are let in.
            clients = []
            try await server.wait { $0.openConnections == 1 }
            limit.rlim_cur = 4096
            setrlimit(__rlimit_resource_t(7), &limit)
            let late = try server.connect()
            try late.send("GET /c HTTP/1.1\r\nHost: x\r\n\r\n")
            guard try late.receiveResponse().status == 200 else { exit(7) }
            withExtendedLifetime(first) {}
            exit(0)
        }
    }
}
