import HTTPMessages
import OAuth

/// Takes the parameters out of a request that a client posts to an endpoint that it authenticates at, and refuses what RFC 6749
/// forbids there.
enum ClientForm {
    /// - Parameter repeatable: the parameters that an extension lets be there several times.
    static func parameters(
        of request: ServerRequest, repeatable: [String] = []
    ) throws(OAuthError) -> FormParameters {
        // RFC 6749 section 2.3.1: credentials MUST NOT be included in the request URI, which ends in logs and histories.
        // No other parameter has a meaning there, so that none may be there.
        guard request.head.path?.utf8.contains(UInt8(ascii: "?")) != true else {
            throw OAuthError(.invalidRequest, "parameters belong in the body, not in the URL")
        }
        let fields = request.head.headerFields
        // Two are a request that two readers may take for two clients.
        guard !fields.has(severalOf: .authorization) else {
            throw OAuthError(.invalidRequest, "more than one Authorization header")
        }
        // RFC 6749 section 4.4.2 and others: "application/x-www-form-urlencoded" in the request entity-body. A body of
        // another type is a malformed request, for which section 5.2 has an answer that clients understand.
        let body = request.body
        guard body.isEmpty || fields[.contentType].map(MediaType.isForm) == true else {
            throw OAuthError(.invalidRequest, "the body must be application/x-www-form-urlencoded, and say so")
        }
        let form: FormParameters
        do {
            form = try FormParameters(parsing: body.span)
        } catch {
            throw OAuthError(.invalidRequest, error.description)
        }
        // RFC 6749 section 3.2: parameters MUST NOT be included more than once.
        if let name = form.firstRepeatedName(except: repeatable) {
            throw OAuthError(.invalidRequest, "\(quotable(name) ?? "a parameter") is there more than once")
        }
        return form
    }

    /// A name that can be said back, because nothing but a parameter's name looks like that.
    private static func quotable(_ name: String) -> String? {
        let isPlain = name.utf8.count <= 32 && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
        return isPlain ? name : nil
    }
}
