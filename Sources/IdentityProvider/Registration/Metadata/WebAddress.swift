import OAuth

/// An `http` or `https` URL of a client, such as that of its keys or its logo.
struct WebAddress: Sendable {
    let text: String
    let hasFragment: Bool
    private let location: RedirectURI

    /// `nil` for whatever is no such URL, has user information, or a host that browsers would read as another one.
    init?(_ text: String) {
        let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#"))
        guard let location = try? RedirectURI(String(text[..<(fragment ?? text.endIndex)])),
            location.kind != .privateUse
        else { return nil }
        self.text = text
        self.location = location
        hasFragment = fragment != nil
    }

    var kind: RedirectURI.Kind { location.kind }
    var host: String { location.host ?? "" }

    /// Whether it is of the scheme, host and port of a redirect URI; on this machine, ports change (RFC 8252
    /// section 7.3).
    func isSameOrigin(as redirect: RedirectURI) -> Bool {
        guard kind == redirect.kind else { return false }
        return kind == .loopback ? location.host == redirect.host : location.origin == redirect.origin
    }
}
