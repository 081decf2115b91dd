import HTTPMessages
import JOSE
import OAuth
import Primitives

/// Finds the client that a request names, wherever it does: not who it is, but who it says it is.
enum NamedClient {
    /// The client of a request that nobody has read yet.
    static func identifier(in request: ServerRequest, target: String, at endpoint: String?) -> String? {
        identifier(
            authorization: request.head.headerFields[.authorization],
            parameters: parameters(of: request, target: target, at: endpoint))
    }

    /// Those of a request that nobody has read yet.
    ///
    /// - Parameter endpoint: its path; those of sessions in cookies take JSON, too.
    static func parameters(of request: ServerRequest, target: String, at endpoint: String?) -> FormParameters {
        let type = request.head.headerFields[.contentType]
        let form = type.map(MediaType.isForm) == true ? request.body : []
        guard let endpoint, endpoint.hasPrefix(SessionEndpoint.location), type.map(MediaType.isJSON) == true,
            let body = try? SessionForm.parameters(of: request)
        else { return parameters(target: target, form: form) }
        return FormParameters(Array(parameters(target: target, form: form)) + Array(body))
    }

    /// Those of the query, and those of the form.
    static func parameters(target: String, form: [UInt8]) -> FormParameters {
        let query = Array(target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
        var pairs: [(name: String, value: String)] = []
        for text in [query, form] {
            if let parameters = try? FormParameters(parsing: text.span) { pairs += Array(parameters) }
        }
        return FormParameters(pairs)
    }

    static func identifier(authorization: String?, parameters: FormParameters) -> String? {
        if let id = parameters["client_id"] { return id }
        if let authorization {
            if let credentials = try? BasicCredentials(authorization: authorization) { return credentials.clientID }
            // Of an access token of ours, the client that it was given to (RFC 9068 section 2.2).
            if let token = (try? BearerCredentials(authorization: authorization))?.token {
                return claim("client_id", of: token)
            }
        }
        // RFC 7523 section 3: the subject of a client's assertion is the client.
        return parameters["client_assertion"].flatMap { claim("sub", of: $0) }
    }

    private static func claim(_ name: String, of token: String) -> String? {
        guard let payload = try? UnverifiedJWS(compact: token).unverifiedPayload else { return nil }
        return (try? JSON(parsing: payload.span))?[name]?.string
    }
}
