// What the adapters for Apple platforms use of Foundation, declared as Apple's headers declare it and as far as it is used.
// Nothing here does anything: it is there for the compiler alone, where there is no Foundation of Apple's.

/// What every class of Apple's inherits from. Public, for nothing less can be inherited from elsewhere.
open class NSObject {
    /// Needs nothing.
    public init() {}
}

package final class NSNull: NSObject {}

package final class NSNumber: NSObject {
    package var objCType: UnsafePointer<CChar> { fatalError() }
    package var boolValue: Bool { fatalError() }
    package var doubleValue: Double { fatalError() }
}

package struct Date: Hashable, Sendable {
    package init(timeIntervalSince1970: Double) {}
    package var timeIntervalSince1970: Double { fatalError() }
}

package struct URL: Hashable, Sendable {
    package init?(string: String) { nil }
}

package struct URLRequest: Hashable, Sendable {
    package init(url: URL) {}
}

package struct HTTPCookiePropertyKey: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package init(_ rawValue: String) { self.rawValue = rawValue }

    package static let name = Self("Name")
    package static let value = Self("Value")
    package static let path = Self("Path")
    package static let domain = Self("Domain")
    package static let expires = Self("Expires")
    package static let secure = Self("Secure")
    package static let sameSitePolicy = Self("SameSite")
}

package struct HTTPCookieStringPolicy: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let sameSiteLax = Self(rawValue: "lax")
    package static let sameSiteStrict = Self(rawValue: "strict")
}

package class HTTPCookieStorage: NSObject, @unchecked Sendable {
    package var cookies: [HTTPCookie]? { fatalError() }
    package func setCookie(_ cookie: HTTPCookie) {}
    package func deleteCookie(_ cookie: HTTPCookie) {}
}

package class HTTPCookie: NSObject, @unchecked Sendable {
    package init?(properties: [HTTPCookiePropertyKey: Any]) { nil }
    package var name: String { fatalError() }
    package var value: String { fatalError() }
    package var domain: String { fatalError() }
    package var path: String { fatalError() }
    package var expiresDate: Date? { fatalError() }
    package var isSessionOnly: Bool { fatalError() }
    package var isSecure: Bool { fatalError() }
    package var isHTTPOnly: Bool { fatalError() }
    package var sameSitePolicy: HTTPCookieStringPolicy? { fatalError() }
}
