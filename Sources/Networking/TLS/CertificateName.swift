import Glibc

/// A name that a certificate is for.
enum CertificateName: Hashable {
    case host(String)
    /// An IPv4 or IPv6 address in its usual text.
    case address(String)

    /// `nil` for what is neither an address nor a host name: it would be read as something else by the syntax that
    /// OpenSSL has for extensions.
    init?(_ text: String) {
        var bytes = in6_addr()
        if inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1 {
            self = .address(text)
            return
        }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let isHost = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { byte in
                    byte == 0x2D || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                }
        }
        guard isHost, text.utf8.count <= 253 else { return nil }
        self = .host(text.lowercased())
    }

    /// As an entry of a subject alternative name.
    var alternativeName: String {
        switch self {
        case .host(let host): "DNS:\(host)"
        case .address(let address): "IP:\(address)"
        }
    }

    /// As a subtree that an authority is confined to: a host with what is below it, or one address.
    var permittedSubtree: String {
        switch self {
        case .host(let host): "permitted;DNS:\(host)"
        case .address("127.0.0.1"): "permitted;IP:127.0.0.0/255.0.0.0"
        case .address(let address):
            address.contains(":")
                ? "permitted;IP:\(address)/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
                : "permitted;IP:\(address)/255.255.255.255"
        }
    }
}
