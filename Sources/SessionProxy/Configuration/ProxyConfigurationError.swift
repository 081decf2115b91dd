/// Why a proxy cannot be as somebody wants it.
package enum ProxyConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    case notEncrypted
    case badCookieName
    case badPath

    package var description: String {
        switch self {
        case .notEncrypted:
            "browsers must find the proxy at an https URL: a session in the clear is anybody's. On this machine (127.0.0.1, "
                + "[::1], localhost) http will do"
        case .badCookieName: "a cookie's name is made of letters, digits, - and _, up to 64, without a prefix"
        case .badPath: "a path of the proxy begins with a slash, has no query, no dots and no slash at the end"
        }
    }
}
