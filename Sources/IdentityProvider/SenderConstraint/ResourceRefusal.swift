import HTTPMessages
import OAuth

/// Why a request to a protected resource is not answered, and what the sender must be told in the header.
package struct ResourceRefusal: Error, Sendable {
    package let error: OAuthError
    /// `WWW-Authenticate`, and `DPoP-Nonce` where a nonce is wanted.
    package let fields: HTTPFields

    /// The answer (RFC 6750 section 3).
    package var response: ServerResponse {
        var response = ErrorResponse.response(for: error)
        for name in Set(fields.map(\.name)) { response.head.headerFields[values: name] = fields[values: name] }
        return response
    }
}
