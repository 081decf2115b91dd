#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
import Synchronization

/// One port of the loopback interface, of IPv4 and, where it can be had, of IPv6 too: some browsers try that first. Closed when
/// nobody holds it any more, or before.
final class LoopbackSockets: Sendable {
    let descriptors: [Int32]
    private let isClosed = Mutex(false)
    let port: UInt16
    /// As a URL has it. RFC 8252 section 8.3: the address and not `localhost`, which may lead elsewhere.
    let host: String

    /// Browsers that wait to be let in.
    private static let backlog: Int32 = 64

    init?() {
        if let first = Self.listen(ipv6: false, port: 0), let port = Self.port(of: first, ipv6: false) {
            // Somebody else may have the same port of IPv6: then there is IPv4 alone.
            descriptors = [first] + [Self.listen(ipv6: true, port: port)].compactMap { $0 }
            self.port = port
            host = "127.0.0.1"
        } else if let only = Self.listen(ipv6: true, port: 0), let port = Self.port(of: only, ipv6: true) {
            descriptors = [only]
            self.port = port
            host = "[::1]"
        } else {
            return nil
        }
    }

    deinit { closePort() }

    /// For whoever waits at the port: nobody else may, for its descriptors would be another's.
    func closePort() {
        isClosed.withLock { isClosed in
            if !isClosed { for descriptor in descriptors { _ = close(descriptor) } }
            isClosed = true
        }
    }

    /// RFC 8252 section 7.3: the loopback interface and no other.
    private static func listen(ipv6: Bool, port: UInt16) -> Int32? {
        let descriptor = socket(ipv6 ? AF_INET6 : AF_INET, streamType, 0)
        guard descriptor >= 0 else { return nil }
        var isListening = Descriptor.prepare(descriptor)
        if ipv6 {
            isListening = isListening && Descriptor.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, on: descriptor)
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            #if canImport(Darwin)
            address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
            #endif
            isListening = isListening && bind(descriptor, to: address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
            #if canImport(Darwin)
            address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
            #endif
            isListening = isListening && bind(descriptor, to: address)
        }
        guard isListening, startListening(descriptor) else {
            _ = close(descriptor)
            return nil
        }
        return descriptor
    }

    private static var streamType: Int32 {
        #if canImport(Glibc)
        Int32(SOCK_STREAM.rawValue)
        #else
        SOCK_STREAM
        #endif
    }

    private static func startListening(_ descriptor: Int32) -> Bool {
        #if canImport(Glibc)
        Glibc.listen(descriptor, backlog) == 0
        #elseif canImport(Musl)
        Musl.listen(descriptor, backlog) == 0
        #else
        Darwin.listen(descriptor, backlog) == 0
        #endif
    }

    private static func bind<Address>(_ descriptor: Int32, to address: Address) -> Bool {
        withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                let length = socklen_t(MemoryLayout<Address>.size)
                #if canImport(Glibc)
                return Glibc.bind(descriptor, generic, length) == 0
                #elseif canImport(Musl)
                return Musl.bind(descriptor, generic, length) == 0
                #else
                return Darwin.bind(descriptor, generic, length) == 0
                #endif
            }
        }
    }

    private static func port(of descriptor: Int32, ipv6: Bool) -> UInt16? {
        // Both families keep the port in the same place of an address.
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0 else {
            _ = close(descriptor)
            return nil
        }
        return UInt16(bigEndian: address.sin6_port)
    }
}
