import OAuth
import Primitives

/// A login with the user's name and password, in the hands of the app. **For tests**, where no browser is wanted: RFC 9700
/// section 2.4 says that this grant MUST NOT be used, because the app sees the password, no second factor has a place in it,
/// and users learn to type their password anywhere.
package struct LegacyPasswordLogin: Sendable {
    private let tokens: TokenClient

    package init(_ tokens: TokenClient) { self.tokens = tokens }

    package func run(
        userName: String, password: Secret, scope: Scope = .empty
    ) async throws(LoginError) -> CompletedLogin {
        let answer = await tokens.password(userName: userName, password: password, scope: scope)
        // OpenID Connect Core does not know this grant: an ID token may come with it or not.
        let expectation = IDTokenExpectation(
            issuer: tokens.server.issuer, clientID: tokens.client.clientID, isRequired: false)
        return try CompletedLogin(answer, of: tokens, expecting: expectation, scope: scope)
    }
}
