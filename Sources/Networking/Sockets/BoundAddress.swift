/// Where a server really listens: with the port that the kernel chose where 0 was asked for.
package struct BoundAddress: Hashable, Sendable, CustomStringConvertible {
    package let address: ListenAddress
    package let isEncrypted: Bool
    /// Whether clients are asked for a certificate there.
    package let asksForCertificate: Bool

    package init(address: ListenAddress, isEncrypted: Bool, asksForCertificate: Bool = false) {
        self.address = address
        self.isEncrypted = isEncrypted
        self.asksForCertificate = asksForCertificate
    }

    /// The port; `nil` for a Unix socket.
    package var port: Int? {
        if case .ip(_, let port) = address { port } else { nil }
    }

    /// What a client is told: `http://127.0.0.1:8080`; `unix:/run/pawl.sock` for a Unix socket.
    package var description: String {
        switch address {
        case .ip: "\(isEncrypted ? "https" : "http")://\(address)"
        case .unix: address.description
        }
    }
}
