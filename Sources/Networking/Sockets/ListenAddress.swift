/// Where a server listens, or a client connects to.
package enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IP address or a host name, and a port; a server that listens on port 0 is given a free one.
    case ip(host: String, port: Int)
    /// The path of a Unix socket.
    case unix(path: String)

    /// Reads what people write: `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`, `:8080`, `unix:/run/pawl.sock`, or a
    /// path that starts with a slash. `nil` for anything else.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") || text.hasPrefix("/") {
            let path = text.hasPrefix("unix:") ? String(text.dropFirst(5)) : text
            guard !path.isEmpty, path.utf8.count <= SocketAddress.longestUnixPath, !path.utf8.contains(0) else {
                return nil
            }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), port <= 65_535
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("[") {
            guard host.hasSuffix("]") else { return nil }
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F && $0 != 0x5B && $0 != 0x5D }) else {
            return nil
        }
        self = .ip(host: host.isEmpty ? "127.0.0.1" : String(host), port: port)
    }

    package var description: String {
        switch self {
        case .ip(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// Where a client connects to.
package typealias ConnectAddress = ListenAddress
