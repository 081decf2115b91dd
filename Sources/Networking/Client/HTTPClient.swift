import HTTPMessages
import HTTPWire

/// A small HTTP/1.1 client on the same loops as the server, for what the program itself asks, and for tests. Keeps connections and uses them again.
///
///     let (response, body) = try await client.send(request, to: .ip(host: "127.0.0.1", port: 8080))
package final class HTTPClient: Sendable {
    private let group: EventLoopGroup
    private let configuration: ClientConfiguration
    private let parts: [ClientLoop]

    package init(group: EventLoopGroup, configuration: ClientConfiguration = ClientConfiguration()) {
        self.group = group
        self.configuration = configuration
        parts = group.loops.map { ClientLoop(loop: $0, configuration: configuration) }
    }

    /// Sends a request and waits for the whole response. Through TLS when the scheme is `https`; then the server
    /// must prove to be the request's authority. Without an authority it is made from the address. When the task is
    /// cancelled, the request is given up and its connection closed.
    package func send(
        _ request: HTTPRequest, body: [UInt8] = [], to address: ConnectAddress
    ) async throws(NetworkingError) -> (HTTPResponse, [UInt8]) {
        let order = try order(request, body: body, to: address)
        let part = parts.first { $0.loop.isCurrent } ?? part(of: group.next())
        return try await exchange(order, on: part, Ticket(), stream: nil)
    }

    /// Sends a request, waits for the head of the response, and lets its content be read as it comes.
    package func open(
        _ request: HTTPRequest, body: [UInt8] = [], to address: ConnectAddress
    ) async throws(NetworkingError) -> (HTTPResponse, ResponseStream) {
        let order = try order(request, body: body, to: address)
        let part = part(of: group.next())
        let ticket = Ticket()
        let stream = ResponseStream {
            part.loop.execute { ticket.exchange?.connection?.receive([]) }
        } giveUp: {
            part.loop.execute { if let exchange = ticket.exchange { part.abandon(exchange, Self.cancelled) } }
        }
        let (response, _) = try await exchange(order, on: part, ticket, stream: stream)
        return (response, stream)
    }

    /// A request as it goes out, and where.
    private struct Order: Sendable {
        let bytes: [UInt8]
        let method: HTTPRequest.Method
        let endpoint: ClientEndpoint
    }

    private func order(
        _ request: HTTPRequest, body: [UInt8], to address: ConnectAddress
    ) throws(NetworkingError) -> Order {
        var request = request
        let authority = request.authority ?? Self.authority(of: address)
        request.authority = authority
        request.path = request.path ?? "/"
        var tlsHost: String?
        if request.scheme == "https" {
            guard configuration.tls != nil else {
                throw NetworkingError(.tls, "https was asked for, and the client was not told whom to trust")
            }
            tlsHost = Self.host(of: authority)
        }
        return Order(
            bytes: try Self.serialise(request, body: body), method: request.method,
            endpoint: ClientEndpoint(address: address, tlsHost: tlsHost))
    }

    private func exchange(
        _ order: Order, on part: ClientLoop, _ ticket: Ticket, stream: ResponseStream?
    ) async throws(NetworkingError) -> (HTTPResponse, [UInt8]) {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                part.loop.execute {
                    let exchange = ClientExchange(
                        bytes: order.bytes, method: order.method, endpoint: order.endpoint, continuation: continuation)
                    exchange.stream = stream
                    ticket.exchange = exchange
                    if ticket.isCancelled { exchange.finish(.failure(Self.cancelled)) } else { part.start(exchange) }
                }
            }
        } onCancel: {
            part.loop.execute {
                ticket.isCancelled = true
                if let exchange = ticket.exchange { part.abandon(exchange, Self.cancelled) }
            }
        }
        return try outcome.get()
    }

    /// What a cancelled task needs to give its request up. Used on the loop only.
    private final class Ticket: @unchecked Sendable {
        var exchange: ClientExchange?
        var isCancelled = false
    }

    private static let cancelled = NetworkingError(.cancelled, "the request was cancelled")

    /// Closes the connections that are not in use.
    package func closeIdleConnections() async {
        for part in parts { await part.loop.run { part.closeIdleConnections() } }
    }

    private func part(of loop: EventLoop) -> ClientLoop {
        parts.first { $0.loop === loop }!
    }

    private static func serialise(_ request: HTTPRequest, body: [UInt8]) throws(NetworkingError) -> [UInt8] {
        // RFC 9110 section 8.6: methods that give meaning to content have a length even when there is none.
        let hasLength = !body.isEmpty || [.post, .put, .patch].contains(request.method)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256 + body.count)
        do throws(SerialiserError) {
            try RequestSerialiser().appendHead(
                request, framing: hasLength ? .length(body.count) : .none, to: &bytes)
        } catch {
            throw NetworkingError(.invalidAddress, "the request cannot be sent: \(error)")
        }
        return bytes + body
    }

    private static func authority(of address: ConnectAddress) -> String {
        switch address {
        case .ip: address.description
        case .unix: "localhost"
        }
    }

    /// An authority without its port and the brackets of an IPv6 address.
    private static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        return String(authority.prefix { $0 != ":" })
    }
}
