import Primitives

extension RedirectURI {
    /// Whether a request with the presented URI means this registered one.
    ///
    /// RFC 9700 section 2.1: exact, byte by byte; nothing is decoded, no case is folded. The one exception is RFC 8252
    /// section 7.3: the port of a loopback URI, and nothing but the port, and only where the registered one is a
    /// loopback URI. `localhost` has the same freedom (RFC 9700 section 2.1 says so), but is another host than
    /// `127.0.0.1`.
    package func matches(_ presented: RedirectURI, ports: LoopbackPorts = .any) -> Bool {
        if sameText(text, presented.text) { return true }
        guard ports == .any, kind == .loopback, presented.kind == .loopback else { return false }
        return sameText(textWithoutPort, presented.textWithoutPort)
    }

    /// For URIs with an authority that has been checked: the last colon outside brackets begins the port.
    private var textWithoutPort: String {
        guard let authority = uri.authority, address?.port != nil,
            let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":"))
        else { return text }
        return String(text[..<colon]) + text[authority.endIndex...]
    }
}
