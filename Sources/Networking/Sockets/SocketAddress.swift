import CLinux
import Glibc

/// An address as the kernel wants it.
struct SocketAddress: Sendable {
    private var storage: sockaddr_storage
    private var length: socklen_t

    /// Bytes of a Unix socket's path, less the terminating NUL.
    static let longestUnixPath = 107

    init() {
        storage = sockaddr_storage()
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    }

    init(unixPath path: String) throws(NetworkingError) {
        self.init()
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.longestUnixPath, !bytes.contains(0) else {
            throw NetworkingError(
                .invalidAddress,
                "the path of a Unix socket has 1 to \(Self.longestUnixPath) bytes; '\(path)' has \(bytes.count)")
        }
        withUnsafeMutableBytes(of: &storage) { raw in
            raw.bindMemory(to: sockaddr_un.self)[0].sun_family = sa_family_t(AF_UNIX)
            let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
            raw[offset..<offset + bytes.count].copyBytes(from: bytes)
        }
        length = socklen_t(MemoryLayout<sockaddr_un>.size)
    }

    /// Every address that `host` stands for, numeric or a name: asks the resolver, and so may take its time, unless
    /// only numbers are wanted.
    static func resolve(
        host: String, port: Int, numericOnly: Bool = false
    ) throws(NetworkingError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (numericOnly ? AI_NUMERICHOST : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            throw NetworkingError(.invalidAddress, "no address for '\(host)': \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            var address = SocketAddress()
            memcpy(&address.storage, entry.ai_addr, Int(entry.ai_addrlen))
            address.length = entry.ai_addrlen
            addresses.append(address)
            next = entry.ai_next
        }
        return addresses
    }

    /// The address that a socket is bound to.
    init(boundTo descriptor: Int32) {
        self.init()
        withMutablePointer { pointer, length in _ = getsockname(descriptor, pointer, length) }
    }

    var family: Int32 { Int32(storage.ss_family) }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    mutating func withMutablePointer<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }

    /// The port of an IP address; 0 otherwise.
    var port: Int {
        withUnsafeBytes(of: storage) { raw in
            switch family {
            case AF_INET: Int(UInt16(bigEndian: raw.load(as: sockaddr_in.self).sin_port))
            case AF_INET6: Int(UInt16(bigEndian: raw.load(as: sockaddr_in6.self).sin6_port))
            default: 0
            }
        }
    }

    /// The IP address without its port, or `unix`. An IPv4 address that came through an IPv6 socket is written as
    /// what it is.
    var host: String {
        guard family == AF_INET || family == AF_INET6 else { return "unix" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            withUnsafeBytes(of: storage) { raw in
                let offset =
                    family == AF_INET
                    ? MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)!
                    : MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)!
                inet_ntop(family, raw.baseAddress! + offset, text.baseAddress, socklen_t(text.count))
            }
            let host = String(cString: text.baseAddress!)
            return host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
        }
    }

    /// Whether the other end must be on this machine: 127.0.0.0/8, ::1, or a Unix socket.
    var isLoopback: Bool {
        switch family {
        case AF_INET, AF_INET6:
            let host = host
            return host == "::1" || (host.hasPrefix("127.") && host.contains("."))
        default: return family == AF_UNIX
        }
    }
}
