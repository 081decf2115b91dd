import HTTPMessages
import JOSE
import OAuth
import Primitives

/// How a resource of the provider's own refuses (RFC 6750 section 3, RFC 9449 section 7.1).
enum ResourceChallenges {
    /// The answer to a request without any token. RFC 6750 section 3.1: it SHOULD NOT be told an error code, only how to
    /// come.
    static func response(asking schemes: [BearerCredentials.Scheme], scope: Scope? = nil) -> ServerResponse {
        var response = ServerResponse(
            status: .unauthorized,
            headerFields: [.cacheControl: "no-store", .contentTypeOptions: "nosniff", .vary: "Origin"])
        for scheme in schemes { append(scheme, nil, scope, to: &response) }
        return response
    }

    /// The answer to a token that is not good, or not good enough: the challenge says the same as the body.
    static func response(
        for error: OAuthError, presentedBy scheme: BearerCredentials.Scheme = .bearer, scope: Scope? = nil
    ) -> ServerResponse {
        var response = ErrorResponse.response(for: error)
        response.head.headerFields[.wwwAuthenticate] = nil
        guard error.code.status < 500 else { return response }
        append(scheme, error, scope, to: &response)
        return response
    }

    private static func append(
        _ scheme: BearerCredentials.Scheme, _ error: OAuthError?, _ scope: Scope?, to response: inout ServerResponse
    ) {
        let challenge =
            switch scheme {
            case .bearer: Challenge(.bearer, realm: "pawl", error: error, scope: scope)
            case .dpop:
                Challenge(
                    .dpop, realm: "pawl", error: error, scope: scope,
                    algorithms: DPoPProofReader.algorithms.map(\.name))
            }
        response.head.headerFields.append(HTTPField(name: .wwwAuthenticate, value: challenge.text))
    }
}
