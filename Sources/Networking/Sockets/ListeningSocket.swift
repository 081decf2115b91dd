import CLinux
import Glibc

/// A socket that listens, non-blocking. Closed by whoever opened it.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    let address: ListenAddress
    /// Which file a Unix socket has made, so that only that one is removed in the end.
    private var file: FileIdentity?

    private struct FileIdentity: Equatable, Sendable {
        let device: dev_t
        let inode: ino_t

        init?(path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            device = status.st_dev
            inode = status.st_ino
        }
    }

    /// Connections that wait in the kernel to be accepted; it may allow fewer.
    static let backlog: Int32 = 1024

    /// Listens on every address that `address` stands for: a name such as `localhost` may have several.
    static func open(_ address: ListenAddress) throws(NetworkingError) -> [ListeningSocket] {
        switch address {
        case .unix(let path): return [try openUnix(path: path)]
        case .ip(let host, let port): return try openIP(host: host, port: port)
        }
    }

    /// Stops listening, and removes the file of a Unix socket if it is still the one that was made.
    func close() {
        Glibc.close(descriptor)
        if case .unix(let path) = address, let file, FileIdentity(path: path) == file { unlink(path) }
    }

    private init(descriptor: Int32, address: ListenAddress, file: FileIdentity? = nil) {
        self.descriptor = descriptor
        self.address = address
        self.file = file
    }
}

// MARK: IP

extension ListeningSocket {
    private static func openIP(host: String, port: Int) throws(NetworkingError) -> [ListeningSocket] {
        var sockets: [ListeningSocket] = []
        var firstError: NetworkingError?
        var port = port
        for address in try SocketAddress.resolve(host: host, port: port) {
            do throws(NetworkingError) {
                // Where the kernel chooses the port, every address of a name has the same one.
                let address = port == address.port ? address : try withPort(port, of: address)
                let socket = try bind(address, described: .ip(host: host, port: port))
                port = SocketAddress(boundTo: socket.descriptor).port
                sockets.append(socket)
            } catch {
                // A name may stand for a family that this machine does not have.
                guard error.kind == .addressNotAvailable else {
                    for socket in sockets { socket.close() }
                    throw error
                }
                firstError = firstError ?? error
            }
        }
        if sockets.isEmpty, let firstError { throw firstError }
        return sockets
    }

    private static func withPort(_ port: Int, of address: SocketAddress) throws(NetworkingError) -> SocketAddress {
        try SocketAddress.resolve(host: address.host, port: port).first ?? address
    }

    private static func bind(
        _ address: SocketAddress, described: ListenAddress
    ) throws(NetworkingError) -> ListeningSocket {
        let descriptor = socket(
            address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw failure(of: described) }
        // A server that is started again must not wait for its predecessor's connections to be forgotten.
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR)
        // `::` is IPv6 and nothing else, whatever the machine's default: `0.0.0.0` can be asked for beside it.
        if address.family == AF_INET6 { setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
        // Inherited by every connection: a small answer must not wait for the acknowledgement of the last one.
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        guard address.withPointer({ Glibc.bind(descriptor, $0, $1) }) == 0, listen(descriptor, backlog) == 0 else {
            let error = failure(of: described)
            Glibc.close(descriptor)
            throw error
        }
        let bound = SocketAddress(boundTo: descriptor)
        return ListeningSocket(descriptor: descriptor, address: .ip(host: bound.host, port: bound.port))
    }
}

// MARK: Unix

extension ListeningSocket {
    private static func openUnix(path: String) throws(NetworkingError) -> ListeningSocket {
        let address = try SocketAddress(unixPath: path)
        try removeStaleSocket(path: path, address: address)
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw failure(of: .unix(path: path)) }
        // The file is made for its owner alone, with no moment at which others could connect: on Linux, bind gives
        // it the mode of the socket.
        fchmod(descriptor, 0o600)
        guard address.withPointer({ Glibc.bind(descriptor, $0, $1) }) == 0, listen(descriptor, backlog) == 0 else {
            let error = failure(of: .unix(path: path))
            Glibc.close(descriptor)
            throw error
        }
        return ListeningSocket(descriptor: descriptor, address: .unix(path: path), file: FileIdentity(path: path))
    }

    /// A socket file outlives a process that was killed. It is replaced if nobody listens there, and left alone
    /// otherwise; a file that is no socket is never touched.
    private static func removeStaleSocket(path: String, address: SocketAddress) throws(NetworkingError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw NetworkingError(.addressInUse, "\(path) exists and is not a socket")
        }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw NetworkingError(systemCall: "socket") }
        defer { Glibc.close(probe) }
        let connected = address.withPointer { connect(probe, $0, $1) }
        if connected != 0, errno == ECONNREFUSED {
            unlink(path)
        } else {
            throw failure(of: .unix(path: path), code: EADDRINUSE)
        }
    }
}

// MARK: Errors and options

extension ListeningSocket {
    private static func failure(of address: ListenAddress, code: Int32 = errno) -> NetworkingError {
        switch code {
        case EADDRINUSE:
            return NetworkingError(.addressInUse, "\(address) is in use")
        case EACCES, EPERM:
            return NetworkingError(.permissionDenied, "not allowed to listen on \(address)")
        case EADDRNOTAVAIL, EAFNOSUPPORT:
            return NetworkingError(.addressNotAvailable, "this machine has no address \(address)")
        default:
            return NetworkingError(.system(code), "cannot listen on \(address): \(NetworkingError.text(of: code))")
        }
    }
}

/// Turns a socket option on.
@discardableResult
func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, value: Int32 = 1) -> Bool {
    var value = value
    return setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
}
