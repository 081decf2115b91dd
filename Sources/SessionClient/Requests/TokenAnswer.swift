import Cookies
import OAuth
import Primitives

/// What a token endpoint said, told apart by what follows from it.
package enum TokenAnswer: Sendable {
    case granted(TokenGrant)
    /// An error of RFC 6749 section 5.2: the server has understood, and says no.
    case refused(TokenRefusal)
    /// There is no answer that says anything about the grant: no connection, a status of the 500s, something that cannot be
    /// read. Whether the server has acted nobody knows.
    case unavailable(Unavailability)
}

/// RFC 6749 section 5.1, as far as a client keeps it.
package struct TokenGrant: Sendable {
    package var accessToken: Secret
    /// `Bearer` or `DPoP`, as the server wrote it.
    package var tokenType: String
    /// From the moment of the answer on; `nil`: the server did not say.
    package var expiresIn: Duration?
    package var refreshToken: Secret?
    /// `nil`: that which was asked for.
    package var scope: Scope?
    package var idToken: Secret?
    /// When the answer came, by the clock of this device, and by that of the server where it said so (`Date`).
    package var receivedAt: Timestamp
    package var serverTime: Timestamp?
    /// Of a session that is kept in cookies: all that the app has of it now.
    package var cookies: [Cookie]

    package init(
        accessToken: Secret, tokenType: String, expiresIn: Duration? = nil, refreshToken: Secret? = nil,
        scope: Scope? = nil, idToken: Secret? = nil, receivedAt: Timestamp, serverTime: Timestamp? = nil,
        cookies: [Cookie] = []
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.scope = scope
        self.idToken = idToken
        self.receivedAt = receivedAt
        self.serverTime = serverTime
        self.cookies = cookies
    }
}

/// An error of RFC 6749 section 5.2, as a client reads it.
package struct TokenRefusal: Error, Hashable, Sendable {
    /// The value of `error`, as the server wrote it.
    package let code: String
    package let description: String?

    package init(code: String, description: String? = nil) {
        self.code = code
        self.description = description
    }

    /// RFC 6749 section 5.2: the grant is not good any more. Of all refusals this one alone is about the session; the others
    /// are about the client and its request.
    package var endsSession: Bool { sameText(code, OAuthErrorCode.invalidGrant.rawValue) }
}

/// Why nothing was heard about a grant.
package struct Unavailability: Error, Hashable, Sendable {
    /// What came in place of an answer.
    package enum Cause: Hashable, Sendable {
        /// Nobody answered: no network, no connection, no time left.
        case offline
        /// The server answered that it cannot now (a status of the 500s, 429).
        case server(status: Int)
        /// The answer is none of a token endpoint: a captive portal, a page of a proxy, JSON that was cut off.
        case unreadable
        /// Whoever asked gave up.
        case cancelled
    }

    package let cause: Cause
    /// As long as the server wants to be left alone (RFC 9110 section 10.2.3).
    package let retryAfter: Duration?

    package init(_ cause: Cause, retryAfter: Duration? = nil) {
        self.cause = cause
        self.retryAfter = retryAfter
    }
}
