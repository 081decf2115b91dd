/// Why a request of our own has no answer. Says nothing of what was asked or answered, so that it can be logged: a URL
/// may hold a secret.
///
///     let failure = OutboundFailure.unreachable
///     print(failure)                                      // the server cannot be reached
public enum OutboundFailure: Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// No such requests are sent: none at all, or none with this method.
    case notAllowed
    /// The request has no `http` or `https` URL, or something in it that cannot be sent.
    case invalidRequest
    /// As many requests as are allowed at once are on their way.
    case tooManyAtOnce
    /// Nobody answers there, or the connection broke.
    case unreachable
    /// There is no TLS with that server, or none that can be trusted.
    case notTrusted
    case timedOut
    /// The answer, or its head, goes beyond what is read of one.
    case tooLarge
    /// The answer is no HTTP.
    case notHTTP
    case cancelled

    /// For a log: what failed, and of nothing else.
    public var description: String {
        switch self {
        case .notAllowed: "such requests are not sent"
        case .invalidRequest: "the request cannot be sent as it is"
        case .tooManyAtOnce: "too many requests are on their way"
        case .unreachable: "the server cannot be reached"
        case .notTrusted: "the server cannot be trusted"
        case .timedOut: "the server did not answer in time"
        case .tooLarge: "the answer of the server is too large"
        case .notHTTP: "the answer of the server is no HTTP"
        case .cancelled: "the request was given up"
        }
    }
}
