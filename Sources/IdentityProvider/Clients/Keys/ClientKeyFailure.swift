import HTTPMessages
import JOSE

/// Why there are no keys of a client. For the log: what a server of a client answers is nobody else's business.
enum ClientKeyFailure: Error, Sendable, Equatable {
    case noKeys
    /// The registered URL is no http or https URL.
    case notHTTP
    case unreachable(OutboundFailure)
    case status(Int)
    case notKeys(JWKError)
}

extension ClientKeyFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .noKeys: "the client has registered no keys"
        case .notHTTP: "the jwks_uri of the client is no http or https URL"
        case .unreachable(let failure): "the jwks_uri of the client was not answered: \(failure)"
        case .status(let code): "the jwks_uri of the client answered \(code)"
        case .notKeys(let error): "the jwks_uri of the client answered no keys: \(error)"
        }
    }
}
