extension Issuer {
    /// The host in lower case, without the port.
    package var host: String {
        let authority = identifier.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
        guard let host = Authority(String(authority))?.host else { preconditionFailure("an issuer has a host") }
        return host
    }

    /// Scheme, host and port: what is above its path.
    package var origin: String { String(identifier.prefix(identifier.utf8.count - pathByteCount)) }

    private var pathByteCount: Int { basePath.utf8.count + (identifier.hasSuffix("/") ? 1 : 0) }
}
