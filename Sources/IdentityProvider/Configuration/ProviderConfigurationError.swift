import JOSE

/// What is wrong with a configuration.
package enum ProviderConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    case badClientID
    case badClientSecret(client: String)
    case clientGivenTwice(String)
    case defaultScopeNotAllowed(client: String)
    case badTokenLifetime
    case noAudience
    case noKey(SignatureAlgorithm)

    package var description: String {
        switch self {
        case .badClientID: "a client identifier is printable ASCII and not empty"
        case .badClientSecret(let client): "the secret of client \(client) must be printable ASCII and not empty"
        case .clientGivenTwice(let client): "client \(client) is there twice"
        case .defaultScopeNotAllowed(let client): "the default scope of client \(client) exceeds what it may ask for"
        case .badTokenLifetime:
            "a token lifetime is a whole number of seconds between 1 and \(ProviderConfiguration.maximumTokenLifetimeSeconds)"
        case .noAudience: "the list of audiences is empty, or holds an empty one"
        case .noKey(let algorithm): "there is no key for \(algorithm.rawValue)"
        }
    }
}
