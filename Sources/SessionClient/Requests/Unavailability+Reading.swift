import HTTPMessages
import Primitives

extension Unavailability {
    /// What a status says that is about the server and not about the request: those of the 500s, and 429 (RFC 6585 section
    /// 4). `nil` for every other.
    ///
    /// It does not matter what the body says: a server that has failed does not know whether a grant is good, and whatever
    /// stands before it knows less.
    init?(_ response: HTTPResponse, at now: Timestamp) {
        let status = response.status
        guard status == .tooManyRequests || (500...599).contains(status.code) else { return nil }
        self.init(.server(status: status.code), retryAfter: Self.retryAfter(response, at: now))
    }

    /// The transport has no answer.
    init(_ failure: OutboundFailure) {
        self.init(failure == .cancelled ? .cancelled : .offline)
    }

    /// Nobody waits longer than this because a server says so: an hour.
    package static let longestRetryAfter = Duration.seconds(3600)

    /// RFC 9110 section 10.2.3: seconds, or a moment. A moment counts from that of the server, where it says what time it
    /// has, for the clock of this device may be another's.
    private static func retryAfter(_ response: HTTPResponse, at now: Timestamp) -> Duration? {
        guard let text = response.headerFields[.retryAfter] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
            guard let seconds = Int64(text) else { return longestRetryAfter }
            return min(.seconds(seconds), longestRetryAfter)
        }
        guard let moment = HTTPDateText.read(text) else { return nil }
        return min(max(moment - (response.serverTime ?? now), .zero), longestRetryAfter)
    }
}

extension Unavailability.Cause {
    /// In words, for the description of an error.
    var explanation: String {
        switch self {
        case .offline: "nobody answered"
        case .server(let status): "it cannot now (status \(status))"
        case .unreadable: "what came is no answer of a token endpoint"
        case .cancelled: "nobody waits for it any more"
        }
    }
}

extension HTTPResponse {
    /// What time the server has, where it says so (RFC 9110 section 6.6.1).
    var serverTime: Timestamp? { headerFields[.date].flatMap { HTTPDateText.read($0) } }
}
