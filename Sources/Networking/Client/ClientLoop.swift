import CLinux
import Glibc

/// A client's part on one loop: its connections there. Confined to the loop.
final class ClientLoop: @unchecked Sendable {
    let loop: EventLoop
    let configuration: ClientConfiguration
    private var idle: [ClientEndpoint: [ClientConnection]] = [:]
    let readBuffer: UnsafeMutableRawBufferPointer

    private static let readBufferBytes = 64 << 10

    init(loop: EventLoop, configuration: ClientConfiguration) {
        self.loop = loop
        self.configuration = configuration
        readBuffer = .allocate(byteCount: Self.readBufferBytes, alignment: 64)
    }

    deinit {
        readBuffer.deallocate()
    }

    /// Sends a request on a connection that is kept, or on a new one.
    func start(_ exchange: ClientExchange) {
        exchange.timer =
            exchange.timer
            ?? loop.schedule(at: .now() + configuration.responseTimeout) {
                self.timedOut(exchange)
            }
        if let connection = takeIdle(exchange.endpoint) {
            connection.send(exchange)
        } else {
            connect(exchange)
        }
    }

    /// Something of a stream has come: the time for the next begins.
    func prolong(_ exchange: ClientExchange) {
        if let timer = exchange.timer { loop.cancel(timer) }
        exchange.timer = loop.schedule(at: .now() + configuration.responseTimeout) { self.timedOut(exchange) }
    }

    func finish(_ exchange: ClientExchange, _ outcome: ClientExchange.Outcome) {
        if let timer = exchange.timer { loop.cancel(timer) }
        exchange.timer = nil
        exchange.finish(outcome)
    }

    private func timedOut(_ exchange: ClientExchange) {
        exchange.timer = nil
        abandon(exchange, NetworkingError(.timedOut, "no response from \(exchange.endpoint.address) in time"))
    }

    /// Gives a request up, and with it the connection that it is on.
    func abandon(_ exchange: ClientExchange, _ error: NetworkingError) {
        if let connection = exchange.connection { connection.fail(error) } else { finish(exchange, .failure(error)) }
    }

    // MARK: Connections

    private func takeIdle(_ endpoint: ClientEndpoint) -> ClientConnection? {
        while let connection = idle[endpoint]?.popLast() {
            if connection.idleSince + configuration.idleTimeout > loop.now { return connection }
            connection.close()
        }
        return nil
    }

    func keep(_ connection: ClientConnection) {
        guard idle[connection.endpoint, default: []].count < configuration.idleConnections else {
            return connection.close()
        }
        connection.idleSince = loop.now
        idle[connection.endpoint, default: []].append(connection)
    }

    func forget(_ connection: ClientConnection) {
        idle[connection.endpoint]?.removeAll { $0 === connection }
    }

    func closeIdleConnections() {
        let connections = idle.values.joined()
        idle = [:]
        for connection in connections { connection.close() }
    }

    private func connect(_ exchange: ClientExchange) {
        switch exchange.endpoint.address {
        case .unix(let path):
            do throws(NetworkingError) {
                try connect(exchange, to: [SocketAddress(unixPath: path)][...])
            } catch {
                finish(exchange, .failure(error))
            }
        case .ip(let host, let port):
            if let addresses = Self.addresses(configuration.hosts[host] ?? [host], port: port) {
                return connect(exchange, to: addresses[...])
            }
            // Handed to the task and back; used on the loop only.
            nonisolated(unsafe) let exchange = exchange
            Task { [self] in
                let outcome: Result<[SocketAddress], NetworkingError>
                do throws(NetworkingError) {
                    outcome = .success(
                        try await BlockingWork.run { () throws(NetworkingError) in
                            try SocketAddress.resolve(host: host, port: port)
                        })
                } catch {
                    outcome = .failure(error)
                }
                loop.execute { [self] in
                    switch outcome {
                    case .success(let addresses): connect(exchange, to: addresses[...])
                    case .failure(let error): finish(exchange, .failure(error))
                    }
                }
            }
        }
    }

    /// `nil` if there is a name among the hosts.
    private static func addresses(_ hosts: [String], port: Int) -> [SocketAddress]? {
        var addresses: [SocketAddress] = []
        for host in hosts {
            guard let more = try? SocketAddress.resolve(host: host, port: port, numericOnly: true) else { return nil }
            addresses += more
        }
        return addresses
    }

    /// Tries the addresses in turn, until a connection stands.
    func connect(_ exchange: ClientExchange, to addresses: ArraySlice<SocketAddress>) {
        guard !exchange.isFinished else { return }
        var rest = addresses
        var failure = NetworkingError(.invalidAddress, "no address for \(exchange.endpoint.address)")
        while let address = rest.popFirst() {
            do throws(NetworkingError) {
                let connection = try ClientConnection(
                    part: self, endpoint: exchange.endpoint, address: address, others: rest)
                return connection.send(exchange)
            } catch {
                failure = error
            }
        }
        finish(exchange, .failure(failure))
    }
}
