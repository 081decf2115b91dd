import Primitives

/// A cookie as a user agent keeps it: all that RFC 6265bis section 5.7 has it remember, so that nothing is lost on the way
/// from one store to another, `HttpOnly` included.
///
///     let cookie = Cookie(name: "__Host-session", value: "opaque", domain: "app.example", isSecure: true, at: now)
///     print(cookie)                                   // __Host-session=<redacted> for app.example/
///
/// Texts are compared byte by byte. It prints without its value, which may be a secret.
public struct Cookie: Sendable {
    /// Empty for a cookie that is its value alone.
    public let name: String
    /// As it is sent: nothing is decoded, and quotation marks belong to it.
    public let value: String
    /// A host in lower case, without a leading period.
    public let domain: String
    /// Whether it goes to that very host alone, and not to those below it.
    public let isHostOnly: Bool
    /// Begins with a slash; what lies below it is meant too.
    public let path: String
    /// `nil`: a session cookie, which lives as long as the user agent runs.
    public let expires: Timestamp?
    /// Whether it goes over encrypted connections alone.
    public let isSecure: Bool
    /// Whether scripts neither see it nor replace it.
    public let isHTTPOnly: Bool
    /// With which requests it goes.
    public let sameSite: SameSite
    /// When a cookie of this identity was first set: what replaces it takes that over, since the order of sending follows
    /// from it.
    public let created: Timestamp

    /// With which requests that begin at other sites the cookie is sent.
    public enum SameSite: String, Hashable, Sendable, CaseIterable, Codable {
        /// With none of them.
        case strict
        /// With those that fill the window and change nothing: a link that is followed.
        case lax
        /// With all of them. Only a ``Cookie/isSecure`` one may say so.
        case none
        /// Nothing was said, or nothing that is known: RFC 6265bis section 5.4.7.1 enforces it like `lax`.
        case unspecified
    }

    /// Checks nothing: see ``refusal``. What a server sets is for a ``CookieJar`` to receive.
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

    /// Whether it is over. One without an end never is, until the user agent ends.
    ///
    ///     let cookie = Cookie(name: "a", value: "1", domain: "app.example", expires: now + .seconds(60), at: now)
    ///     let isOver = cookie.isExpired(at: now + .seconds(60))           // true
    public func isExpired(at now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }

    /// As it stands in a `Cookie` field, value and all. RFC 6265bis section 5.8.3, step 5: one without a name is its value
    /// alone.
    public var pair: String { name.isEmpty ? value : name + "=" + value }
}

extension Cookie: Hashable {
    /// In everything, the time of its creation too.
    public static func == (left: Cookie, right: Cookie) -> Bool {
        left.isSame(as: right) && left.created == right.created
    }

    /// Whether a user agent that has the one would notice nothing if it were given the other: when it was created is no
    /// part of it. Writes that change nothing are told from others by this.
    ///
    ///     let cookie = Cookie(name: "a", value: "1", domain: "app.example", at: now)
    ///     let again = Cookie(name: "a", value: "1", domain: "app.example", at: now + .seconds(1))
    ///     let isNews = !again.isSame(as: cookie)                          // false
    public func isSame(as other: Cookie) -> Bool {
        identity == other.identity && sameText(value, other.value) && expires == other.expires
            && isSecure == other.isSecure && isHTTPOnly == other.isHTTPOnly && sameSite == other.sameSite
    }

    /// By identity and value.
    public func hash(into hasher: inout Hasher) {
        identity.hash(into: &hasher)
        value.hash(into: &hasher)
    }
}

extension Cookie {
    /// What two cookies cannot share in one store: the later replaces the earlier (RFC 6265bis section 5.7, step 23).
    ///
    ///     let identity = Cookie.Identity(name: "sid", domain: "app.example")
    ///     let value = jar[identity]?.value
    public struct Identity: Hashable, Sendable {
        /// As that of the cookie.
        public let name: String
        /// As that of the cookie.
        public let domain: String
        /// One for the host alone and one for all below it stand side by side.
        public let isHostOnly: Bool
        /// As that of the cookie.
        public let path: String

        /// With what a cookie has of whose domain and path nothing was said.
        public init(name: String, domain: String, isHostOnly: Bool = true, path: String = "/") {
            self.name = name
            self.domain = domain
            self.isHostOnly = isHostOnly
            self.path = path
        }

        /// Byte by byte.
        public static func == (left: Identity, right: Identity) -> Bool {
            left.isHostOnly == right.isHostOnly && sameText(left.name, right.name)
                && sameText(left.path, right.path) && sameText(left.domain, right.domain)
        }

        /// The same for the same bytes: that of `String` is coarser, never finer.
        public func hash(into hasher: inout Hasher) {
            name.hash(into: &hasher)
            path.hash(into: &hasher)
            domain.hash(into: &hasher)
        }
    }

    /// Its place in a store.
    public var identity: Identity { Identity(name: name, domain: domain, isHostOnly: isHostOnly, path: path) }

    /// The same with another life or another beginning.
    package func with(expires: Timestamp?, created: Timestamp? = nil) -> Cookie {
        Cookie(
            name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, expires: expires,
            isSecure: isSecure, isHTTPOnly: isHTTPOnly, sameSite: sameSite, at: created ?? self.created)
    }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the value, which may be a secret.
    public var description: String { "\(name)=<redacted> for \(isHostOnly ? "" : ".")\(domain)\(path)" }
    /// Without the value.
    public var debugDescription: String { description }
    /// Empty, so that `dump` does not show the value either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
