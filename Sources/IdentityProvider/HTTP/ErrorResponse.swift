import HTTPMessages
import OAuth
import Primitives

/// How a refusal looks on the wire (RFC 6749 section 5.2).
enum ErrorResponse {
    /// RFC 6749 section 5.2: 401 names the scheme that the client used, which can only have been Basic, and RFC 9110
    /// section 11.6.1 wants a challenge with every 401.
    private static let challenge = HTTPField(name: .wwwAuthenticate, value: "Basic realm=\"pawl\", charset=\"UTF-8\"")

    static func response(for error: OAuthError, status: HTTPResponse.Status? = nil) -> ServerResponse {
        let isTooOften = error.secondsToWait != nil && !error.isChallenge
        let status = status ?? (isTooOften ? .tooManyRequests : HTTPResponse.Status(errorCode: error.code.status))
        var fields = ResponseFields.neverStored
        fields[.retryAfter] = error.secondsToWait.map(String.init) ?? retryAfter(status)
        if status == .unauthorized { fields.append(challenge) }
        var writer = JSONWriter(reservingCapacity: 256)
        writer.beginObject()
        writer.member("error", error.code.rawValue)
        writer.member("error_description", error.publicDescription)
        writer.endObject()
        return ServerResponse(status: status, headerFields: fields, body: .bytes(writer.takeBytes()))
    }

    /// RFC 9110 section 15.6.4: what cannot be done now may be tried again, in so many seconds.
    static func retryAfter(_ status: HTTPResponse.Status) -> String? {
        status == .serviceUnavailable ? "1" : nil
    }

    static let notFound = response(
        for: OAuthError(
            OAuthErrorCode("not_found", status: 404),
            "there is no such endpoint; the document at /.well-known/openid-configuration names those that are"))

    static let noTenantName = response(
        for: OAuthError(
            OAuthErrorCode("not_found", status: 404),
            "no tenant can have this name; one has \(TenantName.rule)"))

    static func methodNotAllowed(allowing methods: String) -> ServerResponse {
        var response = response(
            for: OAuthError(.invalidRequest, "this endpoint answers \(methods)"), status: .methodNotAllowed)
        response.head.headerFields[.allow] = methods
        return response
    }
}
