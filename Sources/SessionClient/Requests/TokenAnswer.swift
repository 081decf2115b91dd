import Cookies
import OAuth
import Primitives

/// What a token endpoint said, told apart by what follows from it.
package enum TokenAnswer: Sendable {
    case granted(TokenGrant)
    /// The server has acted, and no access token that can be used came of it; but what is to be presented next did.
    case incomplete(TokenSuccessor)
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

/// What is left of an answer without an access token that a client may use: the refresh token before it may be spent.
package struct TokenSuccessor: Sendable {
    package let refreshToken: Secret
    /// Of a session that is kept in cookies: all that the app has of it now.
    package let cookies: [Cookie]

    package init(refreshToken: Secret, cookies: [Cookie] = []) {
        self.refreshToken = refreshToken
        self.cookies = cookies
    }
}
