import HTTPMessages
import Primitives

/// The server's side of a session, as far as a session manager needs it: with tokens in bodies, or with cookies.
package protocol SessionServer: Sendable {
    /// Presents the refresh token of a credential. Always answers: what goes wrong is an answer too.
    func refresh(_ credential: Credential) async -> TokenAnswer

    /// Tells the server that a credential is of no use any more. That it cannot be told changes nothing here.
    func revoke(_ credential: Credential) async

    /// Puts what proves the session into a request.
    func authorise(_ request: inout HTTPRequest, with credential: Credential, at now: Timestamp) throws(SessionError)

    /// Hears what came back, and says whether the request is to be sent once more with what was learned from that.
    func hears(_ response: HTTPResponse, to request: HTTPRequest, with credential: Credential) -> Bool
}
