import Primitives

/// The value of a `Set-Cookie` field, taken apart (RFC 6265bis section 5.6) and not yet judged: whether it becomes a
/// cookie depends on who sent it.
///
///     let set = try SetCookie(parsing: "sid=31d4; Path=/; HttpOnly")
public struct SetCookie: Sendable {
    /// Empty where the field has no equals sign.
    public let name: String
    /// As it came: nothing is decoded.
    public let value: String
    /// The last that a server said, as of every attribute. See ``expiry(at:)``.
    public private(set) var expires: Timestamp?
    /// Goes before ``expires``.
    public private(set) var maxAge: MaxAge?
    /// As it came, without a leading period, in lower case; empty: for the host alone, and said so.
    public private(set) var domain: String?
    /// `nil`: nothing, or nothing that begins with a slash.
    public private(set) var path: String?
    /// Whether it is for encrypted connections alone.
    public private(set) var isSecure = false
    /// Whether it is to be hidden from scripts.
    public private(set) var isHTTPOnly = false
    /// With which requests of other sites it is to go.
    public private(set) var sameSite = Cookie.SameSite.unspecified

    /// How long a cookie lives from now on.
    public enum MaxAge: Hashable, Sendable {
        /// No longer: this deletes it.
        case past
        /// At least one.
        case seconds(Int64)
    }

    /// Reads a field. What cannot be an attribute is passed over, as every user agent does.
    public init(parsing field: String) throws(CookieRefusal) {
        guard !field.utf8.contains(where: Cookie.isForbidden) else { throw .controlCharacter }
        var parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        let pair = parts.removeFirst()
        if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
            name = Self.trimmed(pair[..<equals])
            value = Self.trimmed(pair[pair.index(after: equals)...])
        } else {
            // Section 5.6, step 3: without an equals sign it is a value that has no name.
            name = ""
            value = Self.trimmed(pair)
        }
        if let refusal = Cookie.refusal(ofName: name, value: value) { throw refusal }
        for part in parts { readAttribute(part) }
    }

    private mutating func readAttribute(_ part: Substring.UTF8View) {
        let equals = part.firstIndex(of: UInt8(ascii: "="))
        let value = equals.map { Self.trimmed(part[part.index(after: $0)...]) } ?? ""
        guard value.utf8.count <= Cookie.attributeLimit else { return }
        switch Self.trimmed(part[..<(equals ?? part.endIndex)]).lowercased() {
        case "expires": if let date = CookieDate.read(value[...]) { expires = date }
        case "max-age": if let age = Self.maxAge(value) { maxAge = age }
        case "domain": domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
        case "path": path = value.utf8.first == UInt8(ascii: "/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = Cookie.SameSite(attribute: value)
        default: break
        }
    }

    /// Section 5.6.2: a sign or a digit, and then digits alone. `nil`: it was not said.
    private static func maxAge(_ text: String) -> MaxAge? {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || first.isASCIIDigit,
            text.utf8.dropFirst().allSatisfy(\.isASCIIDigit)
        else { return nil }
        guard first != UInt8(ascii: "-") else { return .past }
        // More than can be counted is more than the limit of age, too.
        let seconds = Int64(text) ?? .max
        return seconds == 0 ? .past : .seconds(seconds)
    }

    /// Without the blanks (space and tab) at both ends.
    private static func trimmed(_ text: Substring.UTF8View) -> String {
        var text = text
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return String(Substring(text))
    }

    /// Section 5.7, step 6: when a cookie that is set now ends; `Max-Age` goes before `Expires`, and neither goes beyond the
    /// limit of age.
    ///
    ///     let end = try SetCookie(parsing: "a=1; Max-Age=60").expiry(at: now)         // in a minute
    public func expiry(at now: Timestamp) -> Timestamp? {
        let latest = now + Cookie.ageLimit
        switch maxAge {
        case .past: return .distantPast
        case .seconds(let seconds): return min(now + .seconds(seconds), latest)
        case nil: return expires.map { min($0, latest) }
        }
    }
}

extension Timestamp {
    /// What is over whatever the clock says.
    fileprivate static let distantPast = Timestamp(millisecondsSinceEpoch: .min)
}

extension Cookie.SameSite {
    /// RFC 6265bis section 5.6.7: what is unknown counts as not said.
    fileprivate init(attribute value: String) {
        switch value.lowercased() {
        case "strict": self = .strict
        case "lax": self = .lax
        case "none": self = .none
        default: self = .unspecified
        }
    }
}

extension SetCookie: CustomStringConvertible, CustomReflectable {
    /// Without the value, which may be a secret.
    public var description: String { "\(name)=<redacted>" }
    /// Empty, so that `dump` does not show the value either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
