import OAuth

/// A refusal of an authorization request, and whom it may be told (RFC 6749 section 4.1.2.1).
struct AuthorizationRefusal: Error, Sendable {
    let error: OAuthError
    /// Where it goes. `nil`: the user alone is told, on a page, because client or redirect URI are not to be trusted.
    let target: ResponseTarget?
    /// `ui_locales` of a request that came another way than in the open (RFC 9101, RFC 9126).
    var uiLocales: String?

    init(_ error: OAuthError, to target: ResponseTarget? = nil) {
        self.error = error
        self.target = target
    }
}

/// Runs what throws the error of a request, and says where it goes.
func refusing<Result>(
    to target: ResponseTarget?, _ body: () throws(OAuthError) -> Result
) throws(AuthorizationRefusal) -> Result {
    do throws(OAuthError) { return try body() } catch { throw AuthorizationRefusal(error, to: target) }
}

/// Runs what throws the error of a request, and says where it goes.
func refusing<Result>(
    to target: ResponseTarget?, _ body: () async throws(OAuthError) -> Result
) async throws(AuthorizationRefusal) -> Result {
    do throws(OAuthError) { return try await body() } catch { throw AuthorizationRefusal(error, to: target) }
}
