import HTTPMessages
import Primitives

/// What the proxy says itself, in the place of the upstream.
package enum ProxyAnswer {
    /// What a server says where the proxy is not asked.
    package static func refusal(_ status: HTTPResponse.Status, _ reason: String) -> ServerResponse {
        error(status, status.code < 500 ? "invalid_request" : "temporarily_unavailable", reason)
    }

    static func json(_ status: HTTPResponse.Status, _ body: JSON, _ fields: HTTPFields = [:]) -> ServerResponse {
        ServerResponse(
            status: status, headerFields: HTTPFields(Array(own) + [type("application/json")] + Array(fields)),
            body: .bytes(body.serialised()))
    }

    /// - Parameter explanation: one of our own texts: nothing that anybody sent is in it.
    static func error(
        _ status: HTTPResponse.Status, _ code: StaticString, _ explanation: String, _ fields: HTTPFields = [:]
    ) -> ServerResponse {
        json(status, ["error": .string("\(code)"), "error_description": .string(explanation)], fields)
    }

    static func redirect(to url: String, _ fields: HTTPFields = [:]) -> ServerResponse {
        ServerResponse(
            status: .seeOther,
            headerFields: HTTPFields(Array(own) + [HTTPField(name: .location, value: url)] + Array(fields)))
    }

    static func page(_ status: HTTPResponse.Status, _ page: ProxyPage, _ fields: HTTPFields = [:]) -> ServerResponse {
        let policy = HTTPField(
            name: .contentSecurityPolicy, value: "default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
        return ServerResponse(
            status: status,
            headerFields: HTTPFields(Array(own) + [type("text/html; charset=utf-8"), policy] + Array(fields)),
            body: .bytes(Array(page.html.utf8)))
    }

    static func methodNotAllowed(_ allowed: String) -> ServerResponse {
        error(.methodNotAllowed, "method_not_allowed", "allowed here: \(allowed)", [.allow: allowed])
    }

    /// For whoever has closed his side and reads on all the same.
    static var browserHasGone: ServerResponse {
        error(.serviceUnavailable, "browser_gone", "the connection was closed before there was an answer")
    }

    /// Nothing of a session is for a cache, and no address of ours, which may have a code in it, for whoever is visited next.
    private static let own: HTTPFields = [
        .cacheControl: "no-store", .referrerPolicy: "no-referrer", .contentTypeOptions: "nosniff",
    ]

    private static func type(_ text: String) -> HTTPField { HTTPField(name: .contentType, value: text) }
}

extension ServerResponse {
    mutating func set(_ cookie: ResponseCookie) {
        head.headerFields.append(name: .setCookie, value: cookie.fieldValue)
    }
}
