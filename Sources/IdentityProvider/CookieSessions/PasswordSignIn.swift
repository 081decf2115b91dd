import OAuth
import Primitives

/// Begins a session by a user's name and password, which a page of the application has sent to the provider itself.
///
/// Unlike the password grant it logs the user in: what is forked from the session hangs on the same login, and ends with it.
struct PasswordSignIn: Sendable {
    let context: ProviderContext
    let minter: TokenMinter

    /// - Parameter peer: where it came from. Browsers come by themselves, so that one address is one of them, or a few.
    func answer(_ request: TokenRequest, from peer: String) async throws(OAuthError) -> TokenResponse {
        guard let username = request.form["username"] else {
            throw OAuthError(.invalidRequest, "username is missing")
        }
        guard let password = request.form["password"] else {
            throw OAuthError(.invalidRequest, "password is missing")
        }
        let scope = try request.client.scope(for: request.form["scope"])
        let resources = try TargetPolicy.resources(of: request.form, for: request.client)
        let user = try user(username, provenBy: Secret(utf8: password), from: peer, at: request.now)
        let login = try await logIn(user, at: request.now)
        let terms = FamilyTerms(
            id: FamilyID(from: context.random), clientID: request.client.id, userID: user.id, scope: scope,
            resources: resources, loginID: login.id, endsWithLogin: !scope.contains("offline_access"),
            authentication: login.authentication, loginClaims: login.claims, began: request.now,
            expires: request.now + context.configuration.lifetimes.refreshTokens,
            stays: context.stays(of: login, with: request.client))
        let family = try await minter.begin(terms, for: request.client, as: request.issuer, notingIn: request.trace)
        var order = TokenOrder(
            client: request.client, family: family, scope: scope, grant: PasswordGrant.type, issuer: request.issuer,
            now: request.now)
        order.audience = resources
        order.givesIDToken = false
        order.override = request.override
        order.request = request.form
        return try await minter.tokens(order)
    }

    /// The throttle is the one of the login page: whoever tries passwords here has tried them there. The same words for a
    /// name that nobody has, so that nobody learns which names there are.
    private func user(
        _ username: String, provenBy password: Secret, from peer: String, at now: Timestamp
    ) throws(OAuthError) -> User {
        guard username.utf8.count <= User.maximumNameByteCount else { throw Self.refused("name too long") }
        let throttle = context.loginThrottle
        if let wait = throttle.begin(username, from: peer, by: context.configuration.signIn, at: now) {
            throw OAuthError(
                .invalidGrant, "too many wrong passwords; wait a while", cause: "throttled",
                secondsToWait: wait.secondsToWait)
        }
        guard let user = context.user(named: username, provenBy: password) else {
            throw Self.refused("unknown user or wrong password")
        }
        throttle.succeed(username, from: peer)
        return user
    }

    private static func refused(_ cause: String) -> OAuthError {
        OAuthError(.invalidGrant, "unknown user, or wrong password", cause: cause)
    }

    /// A login of this session's own, which no browser shows to the provider's pages: as long as the session may be.
    private func logIn(_ user: User, at now: Timestamp) async throws(OAuthError) -> Login {
        let authentication = Authentication(
            at: now, methods: ["pwd"], contextClass: context.configuration.contextClasses.first)
        var login = Login(
            id: LoginID(from: context.random), userID: user.id, authentication: authentication,
            claims: context.nextLoginClaims.take(for: user.username),
            expires: now + context.configuration.lifetimes.refreshTokens)
        login.userStay = context.users.stay(of: user.id)
        let begun = login
        try await context.storing { store throws(StoreError) in try await store.keep(begun) }
        return begun
    }
}
