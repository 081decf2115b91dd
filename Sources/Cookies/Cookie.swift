import Primitives

/// A cookie as a user agent keeps it: all that RFC 6265bis section 5.7 has it remember, so that nothing is lost on the way
/// from one store to another, `HttpOnly` included.
///
///     let cookie = Cookie(name: "__Host-session", value: "opaque", domain: "app.example", isSecure: true, at: now)
///
/// Texts are compared byte by byte. It prints without its value, which may be a secret.
public struct Cookie: Sendable {
    public let name: String
    public let value: String
    /// A host in lower case, without a leading period.
    public let domain: String
    /// Whether it goes to that very host alone, and not to those below it.
    public let isHostOnly: Bool
    public let path: String
    /// `nil`: a session cookie, which lives as long as the user agent runs.
    public let expires: Timestamp?
    public let isSecure: Bool
    /// Whether scripts neither see it nor replace it.
    public let isHTTPOnly: Bool
    public let sameSite: SameSite
    /// When a cookie of this identity was first set: what replaces it takes that over, since the order of sending follows
    /// from it.
    public let created: Timestamp

    /// With which requests that begin at other sites the cookie is sent.
    public enum SameSite: String, Hashable, Sendable, CaseIterable, Codable {
        case strict
        case lax
        case none
        /// Nothing was said, or nothing that is known: RFC 6265bis section 5.4.7.1 enforces it like `lax`.
        case unspecified
    }

    public init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/",
        expires: Timestamp? = nil, isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: SameSite = .unspecified,
        at created: Timestamp
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.created = created
    }

    /// RFC 6265bis section 5.5: whether it survives the user agent.
    public var isPersistent: Bool { expires != nil }

    public func isExpired(at now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }

    /// As it stands in a `Cookie` field. RFC 6265bis section 5.8.3, step 5: one without a name is its value alone.
    public var pair: String { name.isEmpty ? value : name + "=" + value }
}

extension Cookie: Hashable {
    public static func == (left: Cookie, right: Cookie) -> Bool {
        left.isSame(as: right) && left.created == right.created
    }

    /// Whether a user agent that has the one would notice nothing if it were given the other: when it was created is no
    /// part of it. Writes that change nothing are told from others by this.
    public func isSame(as other: Cookie) -> Bool {
        identity == other.identity && sameText(value, other.value) && expires == other.expires
            && isSecure == other.isSecure && isHTTPOnly == other.isHTTPOnly && sameSite == other.sameSite
    }

    public func hash(into hasher: inout Hasher) {
        identity.hash(into: &hasher)
        value.hash(into: &hasher)
    }
}

extension Cookie {
    /// What two cookies cannot share in one store: the later replaces the earlier (RFC 6265bis section 5.7, step 23).
    public struct Identity: Hashable, Sendable {
        public let name: String
        public let domain: String
        public let isHostOnly: Bool
        public let path: String

        public init(name: String, domain: String, isHostOnly: Bool = true, path: String = "/") {
            self.name = name
            self.domain = domain
            self.isHostOnly = isHostOnly
            self.path = path
        }

        public static func == (left: Identity, right: Identity) -> Bool {
            left.isHostOnly == right.isHostOnly && sameText(left.name, right.name)
                && sameText(left.path, right.path) && sameText(left.domain, right.domain)
        }

        // Same bytes, same hash: that of `String` is coarser, never finer.
        public func hash(into hasher: inout Hasher) {
            name.hash(into: &hasher)
            path.hash(into: &hasher)
            domain.hash(into: &hasher)
        }
    }

    public var identity: Identity { Identity(name: name, domain: domain, isHostOnly: isHostOnly, path: path) }

    /// The same with another life or another beginning.
    public func with(expires: Timestamp?, created: Timestamp? = nil) -> Cookie {
        Cookie(
            name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, expires: expires,
            isSecure: isSecure, isHTTPOnly: isHTTPOnly, sameSite: sameSite, at: created ?? self.created)
    }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(name)=<redacted> for \(isHostOnly ? "" : ".")\(domain)\(path)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
