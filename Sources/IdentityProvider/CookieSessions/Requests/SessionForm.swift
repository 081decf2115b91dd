import HTTPMessages
import OAuth
import Primitives

/// The parameters of a request for a session: a form, or the same in JSON.
enum SessionForm {
    /// 64 KiB, 3 deep, 16 KiB in one text, 64 members.
    private static let limits = JSONLimits(bytes: 1 << 16, depth: 3, stringBytes: 1 << 14, members: 64)
    /// RFC 8707 section 2 lets it be there several times.
    private static let repeatable = ["resource"]

    static func parameters(of request: ServerRequest) throws(OAuthError) -> FormParameters {
        let fields = request.head.headerFields
        // Whoever proves to have a key, or a secret, wants what a cookie does not keep.
        guard !fields.contains(.dpop) else {
            throw OAuthError(
                .invalidRequest,
                "cookies come without a proof, so that nothing in them is bound to a key; leave DPoP out")
        }
        guard !fields.contains(.authorization) else {
            throw OAuthError(
                .invalidRequest, "clients with sessions in cookies do not authenticate; leave Authorization out")
        }
        let isJSON = fields[.contentType].map(MediaType.isJSON) == true
        guard isJSON || request.body.isEmpty || fields[.contentType].map(MediaType.isForm) == true else {
            throw OAuthError(
                .invalidRequest, "the body must be application/json or application/x-www-form-urlencoded, and say so")
        }
        let form = isJSON ? try json(of: request) : try ClientForm.parameters(of: request, repeatable: repeatable)
        guard form["client_secret"] == nil, form["client_assertion"] == nil else {
            throw OAuthError(.invalidRequest, "clients with sessions in cookies do not authenticate")
        }
        return form
    }

    private static func json(of request: ServerRequest) throws(OAuthError) -> FormParameters {
        guard request.head.path?.utf8.contains(UInt8(ascii: "?")) != true else {
            throw OAuthError(.invalidRequest, "parameters belong in the body, not in the URL")
        }
        let body = request.body
        guard !body.isEmpty else { return FormParameters() }
        let json: JSON
        do { json = try JSON(parsing: body.span, limits: limits) } catch {
            throw OAuthError(.invalidRequest, "the body is not acceptable JSON: \(error)")
        }
        guard let members = json.object else { throw OAuthError(.invalidRequest, "the body must be a JSON object") }
        var pairs: [(name: String, value: String)] = []
        for (name, value) in members where value != .null {
            for element in value.array ?? [value] {
                guard let text = element.string, value.array == nil || repeatable.contains(name), !name.isEmpty else {
                    throw OAuthError(.invalidRequest, "the members of the body must be texts, resource a list of them")
                }
                pairs.append((name, text))
            }
        }
        return FormParameters(pairs)
    }
}
