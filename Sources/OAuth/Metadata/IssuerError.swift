/// What is wrong with an issuer.
package enum IssuerError: Error, Hashable, Sendable, CustomStringConvertible {
    case notHTTP
    case badAuthority
    case badPath
    case hasQueryOrFragment

    package var description: String {
        switch self {
        case .notHTTP: "an issuer is a URL that begins with https:// or http://"
        case .badAuthority: "an issuer names a host and perhaps a port, without user information"
        case .badPath: "the path of an issuer is made of plain segments: no empty ones, no dots alone, no percent signs"
        case .hasQueryOrFragment: "an issuer has neither query nor fragment"
        }
    }
}
