extension Issuer {
    /// Whether it is reached through TLS.
    package var isEncrypted: Bool { identifier.hasPrefix("https://") }

    /// The host in lower case, without the port.
    package var host: String { authority.host }

    /// `nil`: it is not said.
    package var port: UInt16? { authority.port }

    private var authority: Authority {
        let text = identifier.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
        guard let authority = Authority(String(text)) else { preconditionFailure("an issuer has a host") }
        return authority
    }

    /// Scheme, host and port: what is above its path.
    package var origin: String { String(identifier.prefix(identifier.utf8.count - pathByteCount)) }

    private var pathByteCount: Int { basePath.utf8.count + (identifier.hasSuffix("/") ? 1 : 0) }
}
