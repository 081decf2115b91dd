import HTTPMessages
import IdentityProvider
import OAuth
import Primitives

/// What the server answers where the provider is not asked, in the shape that RFC 6749 section 5.2 gives errors: a client
/// that reads those of the token endpoint reads these too.
enum RefusalResponse {
    @Sendable static func render(_ status: HTTPResponse.Status, _ reason: String) -> ServerResponse {
        let error = OAuthError(code(for: status), reason)
        let body: JSON = .object([
            "error": .string(error.code.rawValue), "error_description": .string(error.publicDescription),
        ])
        // Every page may read it, whoever may read tokens: who sent the request is not known yet, and nothing that anybody
        // sent is in it. Without this a page learns no more than that something is wrong with the network.
        return ServerResponse(
            status: status,
            headerFields: [
                .contentType: "application/json", .cacheControl: "no-store",
                .accessControlAllowOrigin: CrossOrigin.everybody,
            ],
            body: .bytes(Array(body.text().utf8)))
    }

    private static func code(for status: HTTPResponse.Status) -> OAuthErrorCode {
        switch status {
        case .serviceUnavailable: .temporarilyUnavailable
        case .internalServerError: .serverError
        default: .invalidRequest
        }
    }
}
