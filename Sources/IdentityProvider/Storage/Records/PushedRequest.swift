import OAuth
import Primitives

/// An authorization request that its client sent ahead (RFC 9126), and may use once.
package struct PushedRequest: Sendable {
    package let clientID: String
    /// In which stay of the client it came (``Client/stay``). `nil`: that is not known.
    package let clientStay: Int?
    package let parameters: FormParameters
    package let expires: Timestamp

    package init(clientID: String, parameters: FormParameters, expires: Timestamp, clientStay: Int? = nil) {
        self.clientID = clientID
        self.clientStay = clientStay
        self.parameters = parameters
        self.expires = expires
    }
}
