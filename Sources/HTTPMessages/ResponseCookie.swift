import Primitives

/// A cookie that a response sets: the value of a `Set-Cookie` field (RFC 6265 section 4.1, with the prefixes and
/// `SameSite` of RFC 6265bis). What a user agent would refuse to store cannot be made.
///
///     let cookie = try ResponseCookie(name: "__Host-session", value: value, isSecure: true, sameSite: .lax)
///     response.headerFields.append(name: .setCookie, value: cookie.fieldValue)
package struct ResponseCookie: Hashable, Sendable {
    package let name: String
    package let value: String
    package let path: String?
    /// `nil`: for the host that set it alone.
    package let domain: String?
    /// Whole seconds. `nil`: for as long as the user agent runs. Zero deletes the cookie.
    package let maxAge: Duration?
    /// For user agents that know no `Max-Age`; those that do look at that alone (RFC 6265bis section 4.1.2.2). `nil`: it
    /// is not said.
    package let expires: Timestamp?
    package let isSecure: Bool
    package let isHTTPOnly: Bool
    package let sameSite: SameSite?

    /// With which requests of other sites the cookie is sent (RFC 6265bis section 4.1.2.7).
    package enum SameSite: String, Hashable, Sendable, CaseIterable {
        case strict = "Strict"
        case lax = "Lax"
        case none = "None"
    }

    /// Bytes of a name and its value together, and of an attribute's value, beyond which a user agent ignores them
    /// (RFC 6265bis section 5.7).
    package static let pairLimit = 4096
    package static let attributeLimit = 1024
    /// Room for the attributes of most cookies.
    private static let usualAttributesByteCount = 64

    package init(
        name: String, value: String, path: String? = "/", domain: String? = nil, maxAge: Duration? = nil,
        expires: Timestamp? = nil, isSecure: Bool = false, isHTTPOnly: Bool = true, sameSite: SameSite? = nil
    ) throws(ResponseCookieError) {
        try Self.check(name: name, value: value)
        try Self.check(path: path, domain: domain, maxAge: maxAge)
        try Self.checkPrefix(of: name, path: path, domain: domain, isSecure: isSecure)
        // RFC 6265bis section 5.7: a user agent ignores a cookie for other sites that is not secure.
        guard sameSite != SameSite.none || isSecure else { throw .crossSiteNeedsSecure }
        self.name = name
        self.value = value
        self.path = path
        self.domain = domain
        self.maxAge = maxAge
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }

    /// What stands behind `Set-Cookie:`.
    package var fieldValue: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(name.utf8.count + value.utf8.count + Self.usualAttributesByteCount)
        bytes.append(name)
        bytes.append("=")
        bytes.append(value)
        func add(_ attribute: StaticString, _ value: String) {
            bytes.append(attribute)
            bytes.append(value)
        }
        if let path { add("; Path=", path) }
        if let domain { add("; Domain=", domain) }
        if let maxAge { add("; Max-Age=", "\(maxAge.components.seconds)") }
        if let expires { add("; Expires=", expires.httpDate) }
        if isSecure { bytes.append("; Secure") }
        if isHTTPOnly { bytes.append("; HttpOnly") }
        if let sameSite { add("; SameSite=", sameSite.rawValue) }
        // All of it was looked at when the cookie was made.
        return String(knownASCII: bytes.span)
    }
}

extension ResponseCookie: CustomStringConvertible {
    /// Without the value, which may be a secret.
    package var description: String { "\(name)=<redacted>" }
}

extension ResponseCookie {
    /// RFC 6265 section 4.1.1: a name is a token, a value is made of octets that need no quoting.
    private static func check(name: String, value: String) throws(ResponseCookieError) {
        guard !name.isEmpty, name.hasOnly(\.isTokenByte) else { throw .invalidName }
        guard value.hasOnly(isCookieOctet) else { throw .invalidValue }
        guard name.utf8.count + value.utf8.count <= pairLimit else { throw .tooLong }
    }

    private static func check(path: String?, domain: String?, maxAge: Duration?) throws(ResponseCookieError) {
        if let path {
            guard isPath(path) else { throw .invalidPath }
            guard path.utf8.count <= attributeLimit else { throw .tooLong }
        }
        if let domain {
            guard isDomain(domain) else { throw .invalidDomain }
            guard domain.utf8.count <= attributeLimit else { throw .tooLong }
        }
        // Half a second must not become none, which deletes the cookie.
        if let maxAge, maxAge < .zero || maxAge.components.attoseconds != 0 { throw .invalidMaxAge }
    }

    /// RFC 6265 section 5.2.4: for a path that does not begin with a slash, another takes its place.
    package static func isPath(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "/") && text.hasOnly(isPathOctet) && text.utf8.last != UInt8(ascii: " ")
    }

    /// RFC 1123 section 2.1: labels of letters, digits and hyphens, with dots between them.
    package static func isDomain(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(isHostOctet) }
    }

    /// RFC 6265bis section 4.1.3. User agents look at the prefixes without regard to case.
    private static func checkPrefix(
        of name: String, path: String?, domain: String?, isSecure: Bool
    ) throws(ResponseCookieError) {
        // Most names begin otherwise, and need no second look.
        guard name.utf8.starts(with: "__".utf8) else { return }
        let name = name.lowercased()
        if name.hasPrefix("__host-") {
            guard isSecure, path == "/", domain == nil else { throw .prefixIsBroken }
        } else if name.hasPrefix("__secure-") {
            guard isSecure else { throw .prefixIsBroken }
        }
    }

    /// Visible ASCII without quotation mark, comma, semicolon and backslash.
    private static func isCookieOctet(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x2C, 0x3B, 0x5C: false
        default: byte > 0x20 && byte < 0x7F
        }
    }

    private static func isPathOctet(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: ";")
    }

    private static func isHostOctet(_ byte: UInt8) -> Bool {
        byte == 0x2D || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}

extension String {
    /// Whether every byte is of a kind.
    fileprivate func hasOnly(_ isOfKind: (UInt8) -> Bool) -> Bool {
        withUTF8Span { bytes in
            for index in bytes.indices where !isOfKind(bytes[index]) { return false }
            return true
        }
    }
}
