// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What the adapters for Apple platforms use of Foundation, declared as Apple's headers declare it and as far as it is used.
// Nothing here does anything: it is there for the compiler alone, where there is no Foundation of Apple's.

/// What every class of Apple's inherits from. Public, for nothing less can be inherited from elsewhere.
open class NSObject {
    /// Needs nothing.
    public init() {}
}

public final class NSNull: NSObject {}

public final class NSNumber: NSObject {
    public var objCType: UnsafePointer<CChar> { fatalError() }
    public var boolValue: Bool { fatalError() }
    public var doubleValue: Double { fatalError() }
}

public struct Date: Hashable, Sendable {
    public init(timeIntervalSince1970: Double) {}
    public var timeIntervalSince1970: Double { fatalError() }
}

public struct URL: Hashable, Sendable {
    public init?(string: String) { nil }
}

public struct URLRequest: Hashable, Sendable {
    public init(url: URL) {}
}

public struct HTTPCookiePropertyKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let name = Self("Name")
    public static let value = Self("Value")
    public static let path = Self("Path")
    public static let domain = Self("Domain")
    public static let expires = Self("Expires")
    public static let secure = Self("Secure")
    public static let sameSitePolicy = Self("SameSite")
}

public struct HTTPCookieStringPolicy: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let sameSiteLax = Self(rawValue: "lax")
    public static let sameSiteStrict = Self(rawValue: "strict")
}

public class HTTPCookieStorage: NSObject, @unchecked Sendable {
    public var cookies: [HTTPCookie]? { fatalError() }
    public func setCookie(_ cookie: HTTPCookie) {}
    public func deleteCookie(_ cookie: HTTPCookie) {}
}

public class HTTPCookie: NSObject, @unchecked Sendable {
    public init?(properties: [HTTPCookiePropertyKey: Any]) { nil }
    public var name: String { fatalError() }
    public var value: String { fatalError() }
    public var domain: String { fatalError() }
    public var path: String { fatalError() }
    public var expiresDate: Date? { fatalError() }
    public var isSessionOnly: Bool { fatalError() }
    public var isSecure: Bool { fatalError() }
    public var isHTTPOnly: Bool { fatalError() }
    public var sameSitePolicy: HTTPCookieStringPolicy? { fatalError() }
}
