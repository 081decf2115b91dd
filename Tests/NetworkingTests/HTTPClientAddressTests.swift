import HTTPMessages
import Networking
import TestSupport
import Testing

/// A host with several addresses is reached at the first one that answers.
@Suite struct HTTPClientAddressTests {
    let group: EventLoopGroup

    init() throws {
        group = try EventLoopGroup(count: 1)
    }

    private func client(
        _ addresses: [String], _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> HTTPClient {
        var configuration = ClientConfiguration()
        configuration.hosts = ["several.test": addresses]
        configure(&configuration)
        return HTTPClient(group: group, configuration: configuration)
    }

    private let get = HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/a")

    /// The system refuses at once to connect to a broadcast address, as it does for an IPv6 address where there is no
    /// IPv6; nobody listens on 127.0.0.2, which comes out later.
    @Test(arguments: [
        ["255.255.255.255", "127.0.0.1"], ["127.0.0.2", "127.0.0.1"],
        ["255.255.255.255", "127.0.0.2", "255.255.255.255", "127.0.0.1"],
    ])
    func triesTheNextAddress(_ addresses: [String]) async throws {
        try await withServer { server in
            let address = ConnectAddress.ip(host: "several.test", port: server.addresses[0].port!)
            let (response, _) = try await client(addresses).send(get, to: address)
            #expect(response.status == .ok)
            #expect(server.server.statistics.acceptedConnections == 1)
        }
    }

    @Test(arguments: [["127.0.0.2", "255.255.255.255"], ["255.255.255.255"], []])
    func saysSoWhenNoneIsLeft(_ addresses: [String]) async throws {
        try await withServer { server in
            let address = ConnectAddress.ip(host: "several.test", port: server.addresses[0].port!)
            await #expect(throws: NetworkingError.self) { try await client(addresses).send(get, to: address) }
            #expect(server.server.statistics.acceptedConnections == 0)
        }
    }

    @Test func triesTheNextAddressWhenOneTakesTooLong() async throws {
        let (directory, context) = try TLSTests.automatic()
        let trust = try TLSClientContext(trust: .authorities(file: directory.path("tls/ca.pem")))
        try await withServer(listen: TLSTests.listener(context)) { server in
            let port = server.addresses[0].port!
            // Takes no connection in, so nobody there answers the handshake.
            let silent = try TestListener(host: "127.0.0.2", port: port)
            let request = HTTPRequest(method: .get, scheme: "https", authority: "localhost", path: "/a")
            let address = ConnectAddress.ip(host: "several.test", port: port)
            let hasty: (inout ClientConfiguration) -> Void = {
                $0.tls = trust
                $0.connectTimeout = .milliseconds(300)
            }
            let (response, _) = try await client(["127.0.0.2", "127.0.0.1"], hasty).send(request, to: address)
            #expect(response.status == .ok)
            let error = await #expect(throws: NetworkingError.self) {
                try await client(["127.0.0.2"], hasty).send(request, to: address)
            }
            #expect(error?.kind == .timedOut)
            withExtendedLifetime(silent) {}
        }
    }
}
