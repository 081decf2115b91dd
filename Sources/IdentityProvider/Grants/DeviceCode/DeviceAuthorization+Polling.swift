import OAuth
import Primitives

extension DeviceAuthorization {
    /// What a device learns when it asks.
    enum Poll: Sendable {
        case granted(FamilyTerms)
        case refused(OAuthErrorCode, cause: StaticString)
    }

    /// RFC 8628 section 3.5: by so much the interval grows when a device asks too soon.
    static let slowDown = Duration.seconds(5)

    /// Answers a device that asks, and notes that it did. Whoever runs it atomically gives the tokens once.
    ///
    /// - Parameter targets: the resources that it names now; empty when it names none.
    mutating func poll(by client: String, naming targets: [String] = [], at now: Timestamp) -> Poll {
        // RFC 6749 section 5.2: a code that was issued to another client is invalid_grant, and nothing about it changes.
        guard sameText(client, clientID) else { return .refused(.invalidGrant, cause: "device code of another client") }
        if case .redeemed = decision { return .refused(.invalidGrant, cause: "device code redeemed") }
        // RFC 8628 section 3.5: expired_token, and polling ends, whatever the user has decided.
        guard now < expires else { return .refused(.expiredToken, cause: "device code expired") }
        switch decision {
        case .approved(let terms):
            // RFC 8707 section 2.2. A request that cannot be answered spends no code.
            guard TargetPolicy.isWithin(targets, resources) else {
                return .refused(.invalidTarget, cause: "resource was not granted")
            }
            decision = .redeemed
            return .granted(terms)
        case .denied:
            return .refused(.accessDenied, cause: "user denied")
        case .redeemed, .pending:
            return pending(at: now)
        }
    }

    /// RFC 8628 section 3.5: slow_down is a variant of authorization_pending, so that a device which asks too often
    /// learns of a decision all the same. The interval grows for this and all subsequent requests.
    private mutating func pending(at now: Timestamp) -> Poll {
        defer { lastPoll = now }
        if let lastPoll, lastPoll <= now, now < lastPoll + interval {
            interval += Self.slowDown
            return .refused(.slowDown, cause: "polled too soon")
        }
        return .refused(.authorizationPending, cause: "user has not decided")
    }
}
