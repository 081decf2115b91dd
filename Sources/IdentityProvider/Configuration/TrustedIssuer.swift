import JOSE

/// Somebody else whose assertions about users are believed (RFC 7523 section 2.1).
package struct TrustedIssuer: Sendable {
    /// As the assertions have it in `iss`.
    package let identifier: String
    /// What verifies them.
    package let keys: JWKSet

    package init(identifier: String, keys: JWKSet) {
        self.identifier = identifier
        self.keys = keys
    }
}
