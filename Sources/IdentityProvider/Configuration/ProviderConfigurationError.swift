import JOSE

/// What is wrong with a configuration.
package enum ProviderConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    case badClientID
    case badClientSecret(client: String)
    case clientGivenTwice(String)
    case defaultScopeNotAllowed(client: String)
    case tooManyClients
    case badUsername
    case badSubject(user: String)
    case userGivenTwice(String)
    case tooManyUsers
    case badTokenLifetime
    case noAudience
    case badRecordCount
    case badTrustedIssuer(String)
    case noKey(SignatureAlgorithm)

    package var description: String {
        switch self {
        case .badClientID: "a client identifier is printable ASCII and not empty"
        case .badClientSecret(let client): "the secret of client \(client) must be printable ASCII and not empty"
        case .clientGivenTwice(let client): "client \(client) is there twice"
        case .defaultScopeNotAllowed(let client): "the default scope of client \(client) exceeds what it may ask for"
        case .tooManyClients: "there are \(ClientRegistry.maximumCount) clients, and no more are taken"
        case .badUsername: "a username is not empty, and at most \(User.maximumNameByteCount) bytes long"
        case .badSubject(let user):
            "the subject of user \(user) must be printable ASCII, at most \(User.maximumNameByteCount) characters"
        case .userGivenTwice(let user): "the name or the subject of user \(user) is there twice"
        case .tooManyUsers: "there are \(UserDirectory.maximumCount) users, and no more are taken"
        case .badTokenLifetime:
            "a token lifetime is a whole number of seconds between 1 and \(ProviderConfiguration.maximumTokenLifetimeSeconds)"
        case .noAudience: "the list of audiences is empty, or holds an empty one"
        case .badRecordCount: "of the last requests, at most \(RequestRecords.maximumCapacity) are kept"
        case .badTrustedIssuer(let issuer):
            "a trusted issuer has a name and at least one key, and is there once: \(issuer)"
        case .noKey(let algorithm): "there is no key for \(algorithm.rawValue)"
        }
    }
}
