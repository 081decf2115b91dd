import Foundation
import Glibc

/// What a browser does at a port of this machine, on a thread that may wait.
enum LoopbackBrowser {
    /// Sends a text, in pieces, and reads until the other end closes. `nil` where nobody listens.
    ///
    /// - Parameter answered: is called on the reading thread, at the first bytes of the answer.
    static func send(
        _ pieces: [String], to port: UInt16, ipv6: Bool = false, answered: @escaping @Sendable () -> Void = {}
    ) async -> String? {
        await onAThread {
            guard let descriptor = connect(to: port, ipv6: ipv6) else { return nil }
            defer { close(descriptor) }
            for piece in pieces {
                let bytes = Array(piece.utf8)
                _ = write(descriptor, bytes, bytes.count)
                // So that each is read by itself; nothing depends on it.
                if pieces.count > 1 { usleep(2000) }
            }
            return readAll(descriptor, answered)
        }
    }

    static func get(
        _ target: String, at port: UInt16, ipv6: Bool = false, answered: @escaping @Sendable () -> Void = {}
    ) async -> String? {
        let host = ipv6 ? "[::1]" : "127.0.0.1"
        let request = "GET \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\n\r\n"
        return await send([request], to: port, ipv6: ipv6, answered: answered)
    }

    /// Gets a URL as it stands.
    static func get(url: String) async -> String? {
        guard let parts = URLComponents(string: url), let port = parts.port else { return nil }
        let target = parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        return await get(target, at: UInt16(port))
    }

    /// A connection that says nothing; whoever has it closes it.
    static func connect(to port: UInt16, ipv6: Bool = false) -> Int32? {
        let descriptor = socket(ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var status: Int32
        if ipv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            status = open(descriptor, address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
            status = open(descriptor, address)
        }
        guard status == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Waits until the other end has closed.
    static func readAll(_ descriptor: Int32, _ answered: () -> Void = {}) -> String {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return String(decoding: all, as: UTF8.self) }
            if all.isEmpty { answered() }
            all += chunk[..<count]
        }
    }

    /// Whether the other end has closed, without waiting for it.
    static func isClosed(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }

    static func onAThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    private static func open<Address>(_ descriptor: Int32, _ address: Address) -> Int32 {
        withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
