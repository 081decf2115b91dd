import OAuth
import Primitives

/// What a client gets (RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3).
struct TokenResponse: Sendable {
    let accessToken: AccessToken
    let scope: Scope
    var refreshToken: String?
    var idToken: String?
    /// RFC 8693 section 2.2.1.
    var issuedTokenType: String?
    /// Put over the members of the body by somebody who wants to see what a client makes of them.
    var overridingMembers: JSONObject = [:]

    /// The body. The scope is always told: required where it differs from what was asked, and never wrong.
    func serialised() -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: accessToken.text.utf8.count + (idToken?.utf8.count ?? 0) + 256)
        writer.beginObject()
        token("access_token", accessToken.text, &writer)
        member("token_type", accessToken.type, &writer)
        if isOwn("expires_in") { writer.member("expires_in", accessToken.lifetimeSeconds) }
        if let refreshToken { token("refresh_token", refreshToken, &writer) }
        if let idToken { token("id_token", idToken, &writer) }
        if !scope.isEmpty { member("scope", scope.text, &writer) }
        if let issuedTokenType { member("issued_token_type", issuedTokenType, &writer) }
        for (name, value) in overridingMembers where value != .null {
            writer.name(name)
            writer.value(value)
        }
        writer.endObject()
        return writer.takeBytes()
    }

    private func member(_ name: StaticString, _ value: String, _ writer: inout JSONWriter) {
        if isOwn(name) { writer.member(name, value) }
    }

    /// Those that we make are Base64URL and full stops.
    private func token(_ name: StaticString, _ token: String, _ writer: inout JSONWriter) {
        if isOwn(name) { writer.member(name, plain: token) }
    }

    private func isOwn(_ name: StaticString) -> Bool {
        overridingMembers.isEmpty || !overridingMembers.contains(name.description)
    }
}
