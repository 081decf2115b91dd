import HTTPMessages
import OAuth

/// What became of telling a client that a login has ended.
enum LogoutAnnouncementOutcome: Sendable {
    case delivered
    /// The client's server answered something else.
    case refused(status: Int)
    case failed(LogoutAnnouncementFailure)

    var isDelivered: Bool { if case .delivered = self { true } else { false } }

    /// For logs and metrics.
    var name: String {
        switch self {
        case .delivered: "delivered"
        case .refused: "refused"
        case .failed: "failed"
        }
    }

    var reason: String {
        switch self {
        case .delivered: "-"
        case .refused(let status): "status \(status)"
        case .failed(let failure): failure.description
        }
    }
}

/// Why a client's server could not be told.
enum LogoutAnnouncementFailure: Error, Sendable, CustomStringConvertible {
    /// It is not known by what name the client knows the provider.
    case nameUnknown
    case notSigned(OAuthError)
    case noWebAddress
    case unreachable(OutboundFailure)

    var description: String {
        switch self {
        case .nameUnknown: "nobody knows by what name the client knows this provider"
        case .notSigned(let error): error.description
        case .noWebAddress: "backchannel_logout_uri is no http or https URL"
        case .unreachable(let failure): failure.description
        }
    }
}
