import Foundation
import HTTPMessages
import Networking
import TestSupport
import Testing

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", ListenAddress.ip(host: "127.0.0.1", port: 8080)), (":0", .ip(host: "127.0.0.1", port: 0)),
        ("[::1]:443", .ip(host: "::1", port: 443)), ("localhost:65535", .ip(host: "localhost", port: 65_535)),
        ("unix:pawl.sock", .unix(path: "pawl.sock")), ("/run/pawl.sock", .unix(path: "/run/pawl.sock")),
    ])
    func reads(_ text: String, _ address: ListenAddress) {
        #expect(ListenAddress(text) == address)
    }

    @Test(arguments: [
        "", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:-1", "127.0.0.1:65536", "127.0.0.1:8080x", "::1:80",
        "[::1]", "[127.0.0.1]:80", "[::1:80", "a b:80", "http://127.0.0.1:80", "unix:", "127.0.0.1:000080",
        "unix:\(String(repeating: "a", count: 108))", "a/b:80",
    ])
    func refuses(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test func listensOnIPv6() async throws {
        try await withServer(listen: [.init(.ip(host: "::1", port: 0))]) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                let response = try socket.receiveResponse()
                #expect(response.status == 200)
            }
            #expect(server.addresses[0].description.hasPrefix("http://[::1]:"))
        }
    }

    @Test func listensOnEveryAddressOfAName() async throws {
        try await withServer(listen: [.init(.ip(host: "localhost", port: 0))]) { server in
            #expect(Set(server.addresses.map(\.port)).count == 1)
            for address in server.addresses {
                try await onThread {
                    let socket = try TestSocket(to: address.address)
                    try socket.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                    let response = try socket.receiveResponse()
                    #expect(response.status == 200)
                }
            }
        }
    }

    @Test func listensInSeveralPlacesAtOnce() async throws {
        let directory = try TemporaryDirectory()
        let places: [ServerConfiguration.Listener] = [
            .init(.ip(host: "127.0.0.1", port: 0)), .init(.ip(host: "127.0.0.1", port: 0)),
            .init(.unix(path: directory.path("s"))),
        ]
        try await withServer(listen: places, loops: 2) { server in
            #expect(server.addresses.count == 3)
            #expect(server.addresses[0].port != server.addresses[1].port)
            for address in server.addresses {
                try await onThread {
                    let socket = try TestSocket(to: address.address)
                    try socket.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                    let response = try socket.receiveResponse()
                    #expect(response.status == 200)
                }
            }
        }
    }

    @Test func saysThatAPortIsInUse() async throws {
        try await withServer { server in
            let group = try EventLoopGroup(count: 1)
            let second = HTTPServer(
                configuration: ServerConfiguration(listeners: [.init(server.address)]), group: group,
                handler: ClosureHandler(TestServer.echo))
            let error = await #expect(throws: NetworkingError.self) { try await second.start() }
            #expect(error?.kind == .addressInUse)
            #expect(error?.description == "\(server.address) is in use")
            group.shutdown()
        }
    }

    @Test func listensNowhereWhenItCannotListenEverywhere() async throws {
        let directory = try TemporaryDirectory()
        try await withServer { server in
            let group = try EventLoopGroup(count: 1)
            let path = directory.path("s")
            let second = HTTPServer(
                configuration: ServerConfiguration(listeners: [.init(.unix(path: path)), .init(server.address)]),
                group: group, handler: ClosureHandler(TestServer.echo))
            await #expect(throws: NetworkingError.self) { try await second.start() }
            #expect(!FileManager.default.fileExists(atPath: path))
            group.shutdown()
        }
    }

    @Test func doesNotSayThatItListensWhenNothingWouldBeTakenIn() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("s")
        let group = try EventLoopGroup(count: 2)
        let server = HTTPServer(
            configuration: ServerConfiguration(listeners: [.init(.unix(path: path))]), group: group,
            handler: ClosureHandler(TestServer.echo))
        group.shutdown()
        for loop in group.loops {
            while await loop.run({ loop.isCurrent }) { await Task.yield() }
        }
        await #expect(throws: NetworkingError.self) { try await server.start() }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func saysThatAnAddressIsNotThisMachines() async throws {
        let group = try EventLoopGroup(count: 1)
        let server = HTTPServer(
            configuration: ServerConfiguration(listeners: [.init(.ip(host: "192.0.2.1", port: 0))]), group: group,
            handler: ClosureHandler(TestServer.echo))
        let error = await #expect(throws: NetworkingError.self) { try await server.start() }
        #expect(error?.kind == .addressNotAvailable)
        group.shutdown()
    }

    // MARK: Unix sockets

    @Test func servesAUnixSocketForItsOwnerAndRemovesIt() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("s")
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            ServerResponse(status: .ok, body: .bytes(Array("\(request.peer)".utf8)))
        }
        try await withServer(listen: [.init(.unix(path: path))], answer: answer) { server in
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                let response = try socket.receiveResponse()
                #expect(
                    response.body
                        == "\(ServerRequest.Peer(address: "unix", isLoopback: true, isEncrypted: false))")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func replacesASocketThatNobodyListensOn() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("s")
        // Bound and forgotten, as by a process that was killed.
        try await run("python3", ["-c", "import socket; socket.socket(socket.AF_UNIX).bind('\(path)')"])
        #expect(FileManager.default.fileExists(atPath: path))
        try await withServer(listen: [.init(.unix(path: path))]) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                let response = try socket.receiveResponse()
                #expect(response.status == 200)
            }
        }
    }

    @Test func leavesASocketAloneThatSomebodyListensOn() async throws {
        let directory = try TemporaryDirectory()
        let place = ServerConfiguration.Listener(.unix(path: directory.path("s")))
        try await withServer(listen: [place]) { server in
            let error = await #expect(throws: NetworkingError.self) { try await TestServer(listen: [place]) }
            #expect(error?.kind == .addressInUse)
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                let response = try socket.receiveResponse()
                #expect(response.status == 200)
            }
        }
    }

    @Test func leavesAFileAloneThatIsNoSocket() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("s")
        try Data("mine".utf8).write(to: URL(filePath: path))
        await #expect(throws: NetworkingError.self) { try await TestServer(listen: [.init(.unix(path: path))]) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
    }

    @Test func doesNotRemoveTheSocketOfItsSuccessor() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("s")
        let server = try await TestServer(listen: [.init(.unix(path: path))])
        try FileManager.default.removeItem(atPath: path)
        let successor = try await TestServer(listen: [.init(.unix(path: path))])
        await server.stop()
        #expect(FileManager.default.fileExists(atPath: path))
        await successor.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
