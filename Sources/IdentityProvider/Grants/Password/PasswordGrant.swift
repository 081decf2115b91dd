import OAuth
import Primitives

/// Tokens for a user's name and password, which the client has seen (RFC 6749 section 4.3). RFC 9700 section 2.4 forbids
/// it; old applications have nothing else.
struct PasswordGrant: Grant {
    static let type = "password"

    let context: ProviderContext
    let minter: TokenMinter

    var type: String { Self.type }

    /// A legacy option: it is there when it was asked for by name, for all or for some client.
    var isOffered: Bool {
        context.configuration.legacy.contains(.password) || context.clients.clients.contains { $0.mayUse(Self.type) }
    }

    func answer(_ request: TokenRequest) async throws(OAuthError) -> TokenResponse {
        guard let username = request.form["username"] else {
            throw OAuthError(.invalidRequest, "username is missing")
        }
        guard let password = request.form["password"] else {
            throw OAuthError(.invalidRequest, "password is missing")
        }
        let scope = try request.client.scope(for: request.form["scope"])
        let targets = try TargetPolicy.resources(of: request.form, for: request.client)
        let user = try user(username, provenBy: Secret(utf8: password), in: request)
        let family = try await minter.begin(
            terms(for: user, scope, targets, request), for: request.client, notingIn: request.trace)
        var order = TokenOrder(
            client: request.client, family: family, scope: scope, grant: Self.type, issuer: request.issuer,
            now: request.now)
        order.audience = targets
        order.confirmation = request.confirmation
        order.override = request.override
        order.request = request.form
        return try await minter.tokens(order)
    }

    /// RFC 6749 section 4.3.2: the endpoint MUST be protected against brute force. The same words for a name that nobody
    /// has, so that nobody learns which names there are.
    private func user(_ username: String, provenBy password: Secret, in request: TokenRequest) throws(OAuthError)
        -> User
    {
        guard username.utf8.count <= User.maximumNameByteCount else { throw Self.refused("name too long") }
        let throttle = context.loginThrottle
        let wait = throttle.begin(
            username, from: nil, by: context.configuration.signIn, as: request.asker, at: request.now)
        if let wait {
            throw OAuthError(
                .invalidGrant, "too many wrong passwords for this username; wait a while", cause: "throttled",
                secondsToWait: wait.secondsToWait)
        }
        guard let user = context.user(named: username, provenBy: password) else {
            throw Self.refused("unknown user or wrong password")
        }
        throttle.succeed(username, from: nil, as: request.asker)
        return user
    }

    private static func refused(_ cause: String) -> OAuthError {
        OAuthError(.invalidGrant, "unknown user, or wrong password", cause: cause)
    }

    /// No login: there is no browser that would be logged in.
    private func terms(
        for user: User, _ scope: Scope, _ targets: [String], _ request: TokenRequest
    ) -> FamilyTerms {
        FamilyTerms(
            id: FamilyID(from: context.random), clientID: request.client.id, userID: user.id, scope: scope,
            resources: targets, authentication: Authentication(at: request.now, methods: ["pwd"]),
            confirmation: request.client.isPublic ? request.confirmation : nil, began: request.now,
            expires: request.now + context.configuration.lifetimes.refreshTokens,
            stays: context.stays(of: user.id, with: request.client))
    }
}
