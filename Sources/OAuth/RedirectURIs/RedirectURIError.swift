/// What is wrong with a redirect URI. Never says what it was.
package enum RedirectURIError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed(URIError)
    case missingAuthority
    case hasUserInformation
    case badAuthority
    case hasDotSegment
    case forbiddenScheme

    package var description: String {
        switch self {
        case .malformed(let error): "the redirect URI is malformed: \(error)"
        case .missingAuthority: "an http or https redirect URI names a host behind //"
        case .hasUserInformation: "a redirect URI has no user information (name@host)"
        case .badAuthority: "the host or port of the redirect URI is malformed"
        case .hasDotSegment: "the path of a redirect URI has no . and .. segments, in no spelling"
        case .forbiddenScheme: "the scheme of the redirect URI is one that runs or shows what it carries"
        }
    }
}
