import Primitives

extension Cookie {
    /// Bytes of a name and its value together (RFC 6265bis section 5.6, step 5).
    package static let pairLimit = 4096
    /// Bytes of an attribute's value (RFC 6265bis section 5.6).
    package static let attributeLimit = 1024
    /// RFC 6265bis section 5.5: no cookie lives longer than 400 days.
    public static let ageLimit: Duration = .seconds(400 * 86_400)

    /// Why no user agent may have this, wherever it came from; `nil`: it may.
    ///
    ///     let open = Cookie(name: "__Host-session", value: "opaque", domain: "app.example", at: now)
    ///     let reason = open.refusal                                   // .prefixIsBroken: it is not Secure
    public var refusal: CookieRefusal? {
        if let refusal = Self.refusal(ofName: name, value: value) { return refusal }
        guard CookieHost(domain)?.text == domain, domain.utf8.count <= Self.attributeLimit else {
            return .domainIsNoHost
        }
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(where: Self.isForbidden) else {
            return .pathIsNoPath
        }
        return attributeRefusal(hasRootPath: path == "/")
    }

    /// RFC 6265bis sections 5.6 and 5.7, steps 2 to 4.
    static func refusal(ofName name: String, value: String) -> CookieRefusal? {
        guard !name.isEmpty || !value.isEmpty else { return .empty }
        guard !name.utf8.contains(where: isForbidden), !value.utf8.contains(where: isForbidden) else {
            return .controlCharacter
        }
        // What would be read as something else when it is sent.
        let semicolon = UInt8(ascii: ";")
        guard !name.utf8.contains(UInt8(ascii: "=")), !name.utf8.contains(semicolon),
            !value.utf8.contains(semicolon)
        else { return .delimiter }
        guard name.utf8.count + value.utf8.count <= pairLimit else { return .tooLong }
        return nil
    }

    /// RFC 6265bis section 5.6, step 1: control characters other than the tab.
    static func isForbidden(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    /// - Parameter hasRootPath: whether the server said `Path=/`.
    func attributeRefusal(hasRootPath: Bool) -> CookieRefusal? {
        // Section 5.7, step 18.
        guard sameSite != .none || isSecure else { return .crossSiteNeedsSecure }
        // Section 5.7, step 22: a nameless value that looks like a name with a prefix would be sent as one.
        guard !name.isEmpty || CookiePrefix(value) == nil else { return .namelessPrefix }
        guard let prefix = CookiePrefix(name) else { return nil }
        // Section 5.7, steps 19 to 21.
        guard isSecure else { return .prefixIsBroken }
        if prefix.isForHost, !isHostOnly || !hasRootPath { return .prefixIsBroken }
        if prefix.isForHTTP, !isHTTPOnly { return .prefixIsBroken }
        return nil
    }
}

/// What a name promises of its cookie (RFC 6265bis section 4.1.3), in upper or lower case.
enum CookiePrefix: CaseIterable {
    // The longer one first: it begins like the shorter.
    case hostHTTP, host, http, secure

    var text: String {
        switch self {
        case .hostHTTP: "__host-http-"
        case .host: "__host-"
        case .http: "__http-"
        case .secure: "__secure-"
        }
    }

    /// `Secure`, no `Domain`, `Path=/`.
    var isForHost: Bool { self == .host || self == .hostHTTP }
    /// Set by a server, and out of the sight of scripts.
    var isForHTTP: Bool { self == .http || self == .hostHTTP }

    init?(_ name: String) {
        guard let prefix = Self.allCases.first(where: { name.startsIgnoringCase(with: $0.text) }) else { return nil }
        self = prefix
    }
}

extension String {
    /// Whether it begins with a text that is given in lower case, the case of ASCII letters aside.
    fileprivate func startsIgnoringCase(with prefix: String) -> Bool {
        guard utf8.count >= prefix.utf8.count else { return false }
        return zip(utf8, prefix.utf8).allSatisfy { $0.asciiLowercased == $1 }
    }
}

extension UInt8 {
    /// The small letter of a capital one in ASCII, and every other byte as it is.
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
