import CLinux
import Glibc
import HTTPMessages
import Observability
import Synchronization

/// Takes connections in on one listening socket and deals them out to the loops. Confined to its loop.
///
/// One socket for all loops: with one per loop (`SO_REUSEPORT`) a second server on the same port would not be told
/// that it is in use.
final class Acceptor: EventReceiver, @unchecked Sendable {
    private let socket: ListeningSocket
    private let tls: TLSServerContext?
    private let loop: EventLoop
    private let admission: Admission
    private let logger: Logger
    private let next: @Sendable () -> ServerLoop
    /// Given up for a moment when there is no descriptor left, so that a client can be told and does not hang.
    private var reserve: Int32 = -1
    private var isListening = false
    private var isStopped = false

    /// Connections taken in before others get their turn.
    private static let batch = 64
    /// How long none is taken in when the system has no room for it.
    private static let pause = Duration.milliseconds(100)

    init(
        socket: ListeningSocket, tls: TLSServerContext?, loop: EventLoop, admission: Admission, logger: Logger,
        next: @escaping @Sendable () -> ServerLoop
    ) {
        self.socket = socket
        self.tls = tls
        self.loop = loop
        self.admission = admission
        self.logger = logger
        self.next = next
    }

    /// Begins to take connections in.
    func start() async throws(NetworkingError) {
        try await loop.run { self.register() }.get()
    }

    private func register() -> Result<Void, NetworkingError> {
        openReserve()
        return Result { () throws(NetworkingError) in
            try loop.register(socket.descriptor, interest: .readable, receiver: self)
            isListening = true
        }
    }

    /// Takes in what has come already, and then no more.
    func stop() async {
        await loop.run { self.close() }
    }

    private func close() {
        guard !isStopped else { return }
        if isListening {
            acceptAll(atMost: Int(ListeningSocket.backlog))
            loop.deregister(socket.descriptor)
        }
        isStopped = true
        socket.close()
        if reserve >= 0 { Glibc.close(reserve) }
    }

    func receive(_ events: EventSet) {
        acceptAll(atMost: Self.batch)
    }

    private func acceptAll(atMost limit: Int) {
        for _ in 0..<limit {
            guard !isStopped else { return }
            var address = SocketAddress()
            let descriptor = accept(&address)
            if descriptor >= 0 {
                take(descriptor, from: address)
                continue
            }
            switch errno {
            case EAGAIN: return
            case EMFILE, ENFILE:
                guard turnAwayOne() else { return pause() }
            case ENOBUFS, ENOMEM: return pause()
            // The connection is gone already, or it is nothing that concerns the socket itself (accept(2)).
            default: continue
            }
        }
    }

    private func accept(_ address: inout SocketAddress) -> Int32 {
        address.withMutablePointer { pointer, length in
            pawl_accept4(
                socket.descriptor, pointer, length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
        }
    }

    private func take(_ descriptor: Int32, from address: SocketAddress) {
        let verdict = admission.ask()
        guard verdict != .turnedAway else { return turnAway(descriptor) }
        let session = tls?.makeSession(descriptor: descriptor)
        guard tls == nil || session != nil else {
            admission.leave()
            Glibc.close(descriptor)
            return
        }
        let peer = ServerRequest.Peer(
            address: address.host, isLoopback: address.isLoopback, isEncrypted: tls != nil,
            wasAskedForCertificate: tls?.clientCertificates.areAskedFor ?? false)
        let transport = Handover(SocketTransport(descriptor: descriptor, tls: session))
        let target = next()
        target.loop.execute { target.adopt(transport.value, peer: peer, isRefused: verdict == .refused) }
    }

    /// Passed from one loop to another, which is its only user from then on.
    private struct Handover: @unchecked Sendable {
        let value: SocketTransport

        init(_ value: SocketTransport) {
            self.value = value
        }
    }

    // MARK: No room

    private static let noRoom = Array(
        ("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").utf8)

    /// Says that there is no room, as far as that is possible without waiting, and closes the connection. Through TLS
    /// it is not possible: a handshake takes its time.
    private func turnAway(_ descriptor: Int32) {
        if tls == nil {
            _ = Self.noRoom.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            shutdown(descriptor, Int32(SHUT_WR))
        }
        Glibc.close(descriptor)
    }

    /// Out of descriptors: gives up the reserve to take one connection in and turn it away. Otherwise it would wait
    /// in the kernel without an answer, and wake the loop for ever.
    private func turnAwayOne() -> Bool {
        guard reserve >= 0 else { return false }
        Glibc.close(reserve)
        var address = SocketAddress()
        let descriptor = accept(&address)
        let code = errno
        if descriptor >= 0 {
            admission.countRefusal()
            turnAway(descriptor)
        }
        openReserve()
        errno = code
        return descriptor >= 0 && reserve >= 0
    }

    private func openReserve() {
        reserve = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    private func pause() {
        logger.warning("no room for connections", [LogField("listener", socket.address.description)])
        loop.modify(socket.descriptor, interest: [])
        loop.schedule(at: loop.now + Self.pause) { [self] in
            guard !isStopped else { return }
            if reserve < 0 { openReserve() }
            loop.modify(socket.descriptor, interest: .readable)
        }
    }
}
