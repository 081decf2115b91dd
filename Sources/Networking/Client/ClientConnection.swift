import CLinux
import Glibc
import HTTPMessages
import HTTPWire

/// One connection of a client. Confined to its loop.
final class ClientConnection: EventReceiver {
    let endpoint: ClientEndpoint
    var idleSince = MonotonicInstant.now()
    private let part: ClientLoop
    private let transport: SocketTransport
    /// Where else the server may be found if there is no connection to this address.
    private let otherAddresses: ArraySlice<SocketAddress>
    private var parser: ResponseParser
    private var output = OutputBuffer()
    private var exchange: ClientExchange?
    private var response: ResponseHead?
    private var body: [UInt8] = []
    private var isConnected = false
    private var isClosed = false
    private var answeredRequests = 0
    private var hasReceived = false
    /// Whether a write has failed: how the connection ended cannot be learnt from reading any more.
    private var isBroken = false
    private var isReadable = false
    private var connectTimer: TimerID?

    /// Begins to connect to `address`. Throws when that has failed already.
    init(
        part: ClientLoop, endpoint: ClientEndpoint, address: SocketAddress, others: ArraySlice<SocketAddress>
    ) throws(NetworkingError) {
        self.part = part
        self.endpoint = endpoint
        parser = ResponseParser(limits: part.configuration.limits)
        otherAddresses = others
        let descriptor = socket(
            address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw NetworkingError(systemCall: "socket") }
        if address.family != AF_UNIX { setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY) }
        var session: TLSSession?
        if let host = endpoint.tlsHost {
            session = part.configuration.tls?.makeSession(descriptor: descriptor, host: host)
            guard session != nil else {
                Glibc.close(descriptor)
                throw NetworkingError(.tls, "'\(host)' is no name that a certificate could be for")
            }
        }
        transport = SocketTransport(descriptor: descriptor, tls: session)
        let code = address.withPointer { connect(descriptor, $0, $1) } == 0 ? 0 : errno
        guard code == 0 || code == EINPROGRESS else {
            Glibc.close(descriptor)
            throw Self.connectFailure(endpoint, code)
        }
        do {
            try part.loop.register(
                descriptor, interest: [.readable, .writable, .peerFinished, .edgeTriggered], receiver: self)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        isConnected = code == 0 && session == nil
        if !isConnected {
            connectTimer = part.loop.schedule(at: .now() + part.configuration.connectTimeout) { [weak self] in
                self?.connectTimedOut()
            }
        }
    }

    func send(_ exchange: ClientExchange) {
        self.exchange = exchange
        exchange.connection = self
        response = nil
        body = []
        hasReceived = false
        parser.expectResponse(to: exchange.method)
        output.bytes.append(contentsOf: exchange.bytes)
        if isConnected { flush() }
    }

    func receive(_ events: EventSet) {
        if !events.isDisjoint(with: [.readable, .peerFinished, .hangUp, .failure]) { isReadable = true }
        guard finishConnecting(events) else { return }
        flush()
        while isReadable, !isClosed, exchange?.stream?.isFull != true { read() }
    }
}

// MARK: Connecting

extension ClientConnection {
    private func finishConnecting(_ events: EventSet) -> Bool {
        if isConnected { return true }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(transport.descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        guard code == 0 else {
            connectFailed(Self.connectFailure(endpoint, code))
            return false
        }
        guard !events.isDisjoint(with: [.writable, .readable]) else { return false }
        if let tls = transport.tls {
            switch tls.handshake() {
            case .done: break
            case .wouldBlock: return false
            case .closed:
                fail(NetworkingError(.tls, "\(endpoint.address) closed the connection during the TLS handshake"))
                return false
            case .failed(.plainHTTP):
                fail(NetworkingError(.tls, "\(endpoint.address) does not speak TLS"))
                return false
            case .failed(.other(let reason)):
                fail(NetworkingError(.tls, "TLS with \(endpoint.address) failed: \(reason)"))
                return false
            }
        }
        isConnected = true
        // What came with the end of the handshake is in TLS's buffer now, and there is no event for that.
        isReadable = true
        if let connectTimer { part.loop.cancel(connectTimer) }
        connectTimer = nil
        return true
    }

    private func connectFailed(_ error: NetworkingError) {
        guard let exchange, !otherAddresses.isEmpty else { return fail(error) }
        self.exchange = nil
        exchange.connection = nil
        close()
        part.connect(exchange, to: otherAddresses)
    }

    private func connectTimedOut() {
        connectTimer = nil
        guard !isConnected else { return }
        connectFailed(NetworkingError(.timedOut, "no connection to \(endpoint.address) in time"))
    }

    private static func connectFailure(_ endpoint: ClientEndpoint, _ code: Int32) -> NetworkingError {
        switch code {
        case ECONNREFUSED, ENOENT:
            NetworkingError(.connectionRefused, "nobody listens on \(endpoint.address)")
        case EACCES, EPERM:
            NetworkingError(.permissionDenied, "not allowed to connect to \(endpoint.address)")
        default:
            NetworkingError(.system(code), "cannot connect to \(endpoint.address): \(NetworkingError.text(of: code))")
        }
    }
}

// MARK: Request and response

extension ClientConnection {
    private func flush() {
        while output.pendingCount > 0 {
            switch output.withPending(transport.write) {
            case .done(let count): output.consume(count)
            case .wouldBlock: return
            case .closed: stopWriting()
            case .failed:
                isBroken = true
                stopWriting()
            }
        }
    }

    /// What the server had to say before it stopped listening may still be there to read.
    private func stopWriting() {
        output.discard()
        isReadable = true
    }

    /// RFC 9112 section 9.8: a response that ends with the connection is complete only if the server ended it, in TLS
    /// by a closure alert. One that was cut off must not be taken for a whole one.
    private func read() {
        let buffer = part.readBuffer
        switch transport.read(into: buffer) {
        case .done(let count):
            hasReceived = true
            parser.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            takeEvents()
        case .wouldBlock:
            isReadable = false
        case .closed where !isBroken:
            isReadable = false
            parser.finish()
            takeEvents()
            ended()
        case .closed, .failed:
            isReadable = false
            ended()
        }
    }

    private func takeEvents() {
        while !isClosed, let event = parser.next() {
            switch event {
            case .interim: break
            case .head(let head): begin(head)
            case .body(let piece): take(piece)
            case .end: complete()
            case .failure(let error): failed(error)
            }
        }
    }

    private func begin(_ head: ResponseHead) {
        response = head
        guard let exchange, exchange.stream != nil else { return }
        exchange.begin(head.response)
        part.prolong(exchange)
    }

    private func take(_ piece: [UInt8]) {
        guard let exchange, let stream = exchange.stream else {
            if body.isEmpty { body = piece } else { body += piece }
            return
        }
        stream.append(piece)
        part.prolong(exchange)
    }

    private func complete() {
        guard let exchange, let head = response else { return }
        self.exchange = nil
        exchange.connection = nil
        let outcome = (head.response, body)
        body = []
        answeredRequests += 1
        // A response that came before the request was out leaves the connection in no state to go on.
        if head.keepAlive, !parser.isStopped, output.pendingCount == 0 { part.keep(self) } else { close() }
        part.finish(exchange, .success(outcome))
    }

    private func failed(_ error: WireError) {
        switch error {
        case .truncated: ended()
        case .bodyTooLarge, .headerTooLarge, .tooManyHeaderFields, .trailersTooLarge:
            fail(NetworkingError(.responseTooLarge, "the response of \(endpoint.address): \(error.reason)"))
        default:
            fail(NetworkingError(.malformedResponse, "the response of \(endpoint.address): \(error.reason)"))
        }
    }

    /// The server has closed the connection, with or without a response outstanding.
    private func ended() {
        guard !isClosed else { return }
        if let exchange, answeredRequests > 0, !hasReceived, exchange.isRepeatable, !exchange.isSecondAttempt {
            // It was closed just as the request was sent on it (RFC 9112 section 9.3.1).
            exchange.isSecondAttempt = true
            exchange.connection = nil
            self.exchange = nil
            close()
            return part.start(exchange)
        }
        fail(NetworkingError(.connectionClosed, "\(endpoint.address) closed the connection before it had answered"))
    }

    func fail(_ error: NetworkingError) {
        let exchange = exchange
        self.exchange = nil
        close()
        guard let exchange else { return }
        exchange.connection = nil
        part.finish(exchange, .failure(error))
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        if let connectTimer { part.loop.cancel(connectTimer) }
        part.loop.deregister(transport.descriptor)
        part.forget(self)
        transport.close()
    }
}
