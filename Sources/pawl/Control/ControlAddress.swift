import Networking

/// A URL below which a control API is.
struct ControlAddress: Sendable {
    let text: String
    let isEncrypted: Bool
    let authority: String
    let host: String
    let port: Int
    /// Without a slash at the end.
    let path: String

    init(_ text: String) throws(CommandFailure) {
        let schemes = [("http://", false, 80), ("https://", true, 443)]
        guard let (scheme, isEncrypted, usualPort) = schemes.first(where: { text.lowercased().hasPrefix($0.0) }) else {
            throw Self.bad("begins with http:// or https://")
        }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        var path = rest[authority.endIndex...]
        while path.hasSuffix("/") { path = path.dropLast() }
        guard !authority.isEmpty, !rest.contains(where: { "?#@ ".contains($0) }) else {
            throw Self.bad("has a host, and neither a user nor a query")
        }
        var host = authority
        var port = usualPort
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            guard let number = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(number) else {
                throw Self.bad("has a port from 1 to 65535")
            }
            port = number
            host = authority[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        self.text = text
        self.isEncrypted = isEncrypted
        self.authority = String(authority)
        self.host = String(host)
        self.port = port
        self.path = String(path)
    }

    private static func bad(_ rule: String) -> CommandFailure {
        .usage("--url: a URL such as http://127.0.0.1:8080 \(rule)")
    }

    var connectAddress: ConnectAddress { .ip(host: host, port: port) }
}
