import HTTPMessages
import HTTPWire
import Primitives
import Synchronization

/// Sends the requests that a program makes by itself, to `http` and `https` URLs, each on a connection of its own. Redirects
/// are handed back as they are.
///
///     let outbound = try OutboundClient(group: group, additionalAuthorities: file)
///     let (response, body) = try await outbound.send(request, body: [])
///     let (head, stream) = try await outbound.open(request, body: [])         // its content as it comes
package final class OutboundClient: OutboundRequests {
    /// For connections in the clear.
    private let client: HTTPClient
    private let trust: OutboundTrust
    private let limits: OutboundLimits
    private let underWay = Atomic<Int>(0)

    /// - Parameters:
    ///   - additionalAuthorities: a PEM file of authorities to be trusted besides those of the system. It is read here,
    ///     so that a mistake shows at once; those of the system are read when the first of them is needed, within the deadline of
    ///     a request.
    ///   - hosts: addresses, as numbers, of hosts that are not to be looked up.
    package init(
        group: EventLoopGroup, limits: OutboundLimits = .standard, additionalAuthorities: String? = nil,
        hosts: [String: [String]] = [:]
    ) throws(NetworkingError) {
        var configuration = ClientConfiguration()
        configuration.limits.bodyBytes = limits.responseBytes
        configuration.limits.headerBytes = limits.headerBytes
        configuration.connectTimeout = limits.deadline
        configuration.responseTimeout = limits.deadline
        // A POST on a kept connection that the server closes just then would be lost: it is not sent again by itself.
        configuration.idleConnections = 0
        configuration.hosts = hosts
        client = HTTPClient(group: group, configuration: configuration)
        let make = { @Sendable [configuration] () throws(NetworkingError) in
            var configuration = configuration
            let context = try TLSClientContext(
                trust: additionalAuthorities.map { .systemAnd(authorities: $0) } ?? .system)
            configuration.tls = context
            return OutboundTrust.Reading(
                client: HTTPClient(group: group, configuration: configuration), hasAuthorities: context.hasAuthorities)
        }
        trust = OutboundTrust(
            keeping: additionalAuthorities == nil ? nil : try make().client, alarm: group, deadline: limits.deadline,
            make)
        self.limits = limits
    }

    package func send(
        _ request: HTTPRequest, body: [UInt8]
    ) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        try await perform(request, body) { (client, address) throws(NetworkingError) in
            try await client.send(request, body: body, to: address)
        }
    }

    /// Waits for the head of the answer alone; the content can be read as it comes. Until it does, and between two pieces of it,
    /// no more time may pass than a whole answer may take.
    package func open(
        _ request: HTTPRequest, body: [UInt8]
    ) async throws(OutboundFailure) -> (HTTPResponse, ResponseStream) {
        try await perform(request, body) { (client, address) throws(NetworkingError) in
            try await client.open(request, body: body, to: address)
        }
    }

    private func perform<Answer: Sendable>(
        _ request: HTTPRequest, _ body: [UInt8],
        _ exchange: (HTTPClient, ConnectAddress) async throws(NetworkingError) -> Answer
    ) async throws(OutboundFailure) -> Answer {
        // RFC 9110 section 9.3.6: CONNECT asks for no answer but for a tunnel. Section 9.3.8: TRACE has what was sent come back,
        // credentials included.
        guard request.method != .connect, !sameText(request.method.rawValue, "TRACE") else { throw .notAllowed }
        guard let address = Self.address(of: request), Self.canBeSent(request),
            body.isEmpty || !Self.isWithoutContent(request.method)
        else { throw .invalidRequest }
        let before = underWay.add(1, ordering: .relaxed).oldValue
        defer { underWay.subtract(1, ordering: .relaxed) }
        guard before < limits.requestsAtOnce else { throw .tooManyAtOnce }
        do throws(NetworkingError) {
            let client = request.scheme == "https" ? try await trust.client() : client
            return try await exchange(client, address)
        } catch {
            throw OutboundFailure(error)
        }
    }

    /// RFC 9110 sections 9.3.1 and 9.3.2: content with these has no meaning, and some servers refuse or misread it.
    private static func isWithoutContent(_ method: HTTPRequest.Method) -> Bool { method == .get || method == .head }

    /// Reads the authorities anew, those of the system and those of the file. What cannot be read stays as it was.
    package func readAuthoritiesAgain() async throws(NetworkingError) { try await trust.makeAgain() }

    private static func canBeSent(_ request: HTTPRequest) -> Bool {
        var scratch: [UInt8] = []
        return (try? RequestSerialiser().appendHead(request, framing: .none, to: &scratch)) != nil
    }

    /// Where a URL leads: a host and a port, never anything else that an address may be for a client of ours.
    private static func address(of request: HTTPRequest) -> ConnectAddress? {
        guard let scheme = request.scheme, let authority = request.authority else { return nil }
        let standardPort: Int
        switch scheme {
        case "http": standardPort = 80
        case "https": standardPort = 443
        default: return nil
        }
        return OutboundAuthority(authority, standardPort: standardPort).map { .ip(host: $0.host, port: $0.port) }
    }
}

extension OutboundFailure {
    package init(_ error: NetworkingError) {
        self =
            switch error.kind {
            case .timedOut: .timedOut
            case .tls: .notTrusted
            case .malformedResponse: .notHTTP
            case .responseTooLarge: .tooLarge
            case .cancelled: .cancelled
            case .addressInUse, .addressNotAvailable, .permissionDenied, .invalidAddress, .connectionRefused,
                .connectionClosed, .system:
                .unreachable
            }
    }
}
