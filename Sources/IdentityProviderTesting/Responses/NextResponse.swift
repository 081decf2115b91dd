import IdentityProvider
import Primitives

/// What an endpoint is to answer next, whatever it would have answered.
///
///     try idp.answerNext(.error("temporarily_unavailable", status: 503))
///     try idp.answerNext(.body(#"{"access_token":"#, status: 200), count: 2)
///     try idp.answerNext(.changing(accessTokenClaims: ["aud": "somebody-else"]), client: "web")
public struct NextResponse: Sendable {
    let content: Content

    enum Content: Sendable {
        /// The endpoint's own, with other claims and members.
        case changed(TokenOverride)
        case replaced(Answer)
    }

    /// One as it was told, be it possible or not.
    struct Answer: Sendable {
        let body: String
        let status: Int
        let fields: [String: String]
        let moment: Moment
    }

    /// Whether the endpoint does its work before its answer is replaced.
    ///
    ///     try idp.answerNext(.error("server_error", status: 500, when: .after))    // the refresh token is spent
    public enum Moment: Hashable, Sendable {
        /// It does nothing: no code is consumed, no refresh token is spent.
        case instead
        /// It does, and what it did holds; only its answer is lost, as when a connection breaks.
        case after
    }

    /// An error as RFC 6749 section 5.2 has them.
    ///
    ///     try idp.answerNext(.error("invalid_grant"))
    public static func error(_ code: String, status: Int = 400, when moment: Moment = .instead) -> NextResponse {
        body(JSON.object(["error": .string(code)]).text(), status: status, when: moment)
    }

    /// Any body, which need not be JSON.
    ///
    ///     try idp.answerNext(.body("<html>", status: 502, fields: ["Content-Type": "text/html"]))
    public static func body(
        _ text: String, status: Int = 200, fields: [String: String] = [:], when moment: Moment = .instead
    ) -> NextResponse {
        NextResponse(content: .replaced(Answer(body: text, status: status, fields: fields, moment: moment)))
    }

    /// The next answer with tokens, with other claims and members; null takes one away. At `/authorize`, the members are the
    /// parameters of the redirect.
    ///
    ///     try idp.answerNext(.changing(idTokenClaims: ["nonce": "wrong"], members: ["expires_in": nil]))
    public static func changing(
        accessTokenClaims: [String: JSONValue] = [:], idTokenClaims: [String: JSONValue] = [:],
        members: [String: JSONValue] = [:]
    ) -> NextResponse {
        var tokens = TokenOverride()
        tokens.accessTokenClaims = JSONObject(accessTokenClaims)
        tokens.idTokenClaims = JSONObject(idTokenClaims)
        tokens.members = JSONObject(members)
        return NextResponse(content: .changed(tokens))
    }
}
