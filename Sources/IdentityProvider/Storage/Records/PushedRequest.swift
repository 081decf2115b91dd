import OAuth
import Primitives

/// An authorization request that its client sent ahead (RFC 9126), and may use once.
package struct PushedRequest: Sendable {
    package let clientID: String
    package let parameters: FormParameters
    package let expires: Timestamp

    package init(clientID: String, parameters: FormParameters, expires: Timestamp) {
        self.clientID = clientID
        self.parameters = parameters
        self.expires = expires
    }
}
