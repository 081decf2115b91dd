import HTTPMessages
import OAuth

/// An access token as a request presents it at a resource of the provider's own (RFC 6750 section 2, RFC 9449
/// section 7.1).
struct ResourceToken: Sendable {
    let scheme: BearerCredentials.Scheme
    let text: String

    /// The token of a request; `nil` when there is none, another scheme of `Authorization` included.
    ///
    /// - Parameter acceptsForm: whether the body of a POST may carry it (RFC 6750 section 2.2).
    static func find(in request: ServerRequest, acceptsForm: Bool) throws(OAuthError) -> ResourceToken? {
        let inField = try inField(of: request)
        let inForm = acceptsForm && request.head.method == .post ? try inForm(of: request) : nil
        try refuseQuery(of: request)
        // RFC 6750 section 2: clients MUST NOT use more than one way in each request.
        guard inField == nil || inForm == nil else {
            throw OAuthError(.invalidRequest, "the access token is there twice, in the header and in the body")
        }
        return inField ?? inForm
    }

    private static func inField(of request: ServerRequest) throws(OAuthError) -> ResourceToken? {
        let fields = request.head.headerFields.filter { $0.name == .authorization }
        guard fields.count <= 1 else { throw OAuthError(.invalidRequest, "more than one Authorization header") }
        guard let value = fields.first?.value, BearerCredentials.scheme(of: value) != nil else { return nil }
        do {
            let credentials = try BearerCredentials(authorization: value)
            return ResourceToken(scheme: credentials.scheme, text: credentials.token)
        } catch {
            throw OAuthError(.invalidRequest, error.description)
        }
    }

    private static func inForm(of request: ServerRequest) throws(OAuthError) -> ResourceToken? {
        let body = request.body
        guard !body.isEmpty, request.head.headerFields[.contentType].map(MediaType.isForm) == true else {
            return nil
        }
        let form: FormParameters
        do { form = try FormParameters(parsing: body.span) } catch {
            throw OAuthError(.invalidRequest, error.description)
        }
        guard form.firstRepeatedName == nil else {
            throw OAuthError(.invalidRequest, "a parameter is there more than once")
        }
        guard let token = form["access_token"] else { return nil }
        guard BearerCredentials.isToken(token.utf8) else {
            throw OAuthError(.invalidRequest, BearerCredentialsError.malformedToken.description)
        }
        return ResourceToken(scheme: .bearer, text: token)
    }

    /// RFC 6750 section 2.3, RFC 9700 section 4.3.2: a token in a URL ends in logs and histories, so that it is not taken
    /// from there, and whoever put it there is told.
    private static func refuseQuery(of request: ServerRequest) throws(OAuthError) {
        guard let query = request.query, query["access_token"] != nil else { return }
        throw OAuthError(
            .invalidRequest, "an access token is not taken from the URL; put it in the Authorization header")
    }
}

extension ServerRequest {
    /// The parameters of the URL; `nil` without a query, and for one that is no form.
    var query: FormParameters? {
        guard let path = head.path, let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return try? FormParameters(parsing: path.utf8[path.utf8.index(after: mark)...].span)
    }
}
