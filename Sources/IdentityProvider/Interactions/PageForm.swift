import HTTPMessages
import OAuth

/// Takes the parameters out of what a browser sends: a query, or a form.
enum PageForm {
    /// The query of a `GET`, the body of a `POST`.
    static func parameters(of request: ServerRequest) throws(OAuthError) -> FormParameters {
        request.head.method == .post ? try body(of: request) : try query(of: request)
    }

    private static func query(of request: ServerRequest) throws(OAuthError) -> FormParameters {
        let path = request.head.path ?? ""
        guard let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return FormParameters() }
        let query = path.utf8.distance(from: path.startIndex, to: mark) + 1
        return try read(path.utf8.span.extracting(droppingFirst: query))
    }

    private static func body(of request: ServerRequest) throws(OAuthError) -> FormParameters {
        // Of the same parameter in two places nobody knows which counts.
        guard request.head.path?.utf8.contains(UInt8(ascii: "?")) != true else {
            throw OAuthError(.invalidRequest, "what is posted belongs in the body, not in the URL")
        }
        let body = request.body
        guard body.isEmpty || request.head.headerFields[.contentType].map(MediaType.isForm) == true else {
            throw OAuthError(.invalidRequest, "the body must be application/x-www-form-urlencoded, and say so")
        }
        return try read(body.span)
    }

    private static func read(_ bytes: Span<UInt8>) throws(OAuthError) -> FormParameters {
        do { return try FormParameters(parsing: bytes) } catch {
            throw OAuthError(.invalidRequest, error.description)
        }
    }
}
