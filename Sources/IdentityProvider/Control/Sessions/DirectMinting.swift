import OAuth
import Primitives

/// Gives a client the tokens of a user without a browser: what comes out is what the code flow gives, made by the same
/// code, and it can be refreshed, revoked and seen as that can.
package struct DirectMinting: Sendable {
    private let context: ProviderContext
    private let minter: TokenMinter

    package init(context: ProviderContext) {
        self.context = context
        minter = TokenMinter(context: context)
    }

    /// Who is to get what.
    package struct Order: Sendable {
        package var username: String
        package var clientID: String
        /// `nil`: what the client gets when it asks for nothing.
        package var scope: String?
        package var nonce: String?
        package var resources: [String] = []

        package init(username: String, clientID: String, scope: String? = nil) {
            self.username = username
            self.clientID = clientID
            self.scope = scope
        }
    }

    /// What came out.
    package struct Tokens: Sendable {
        package let accessToken: String
        package let tokenType: String
        package let expiresIn: Int64
        package let idToken: String?
        package let refreshToken: String?
        package let scope: String
        package let familyID: FamilyID
        package let loginID: LoginID
        /// The answer of the token endpoint.
        package let body: [UInt8]
    }

    func tokens(_ order: Order, as issuer: PreparedIssuer) async throws(DirectMintingError) -> Tokens {
        guard let user = context.users[username: order.username] else { throw .unknownUser }
        guard let client = context.client(order.clientID) else { throw .unknownClient }
        let scope: Scope
        do { scope = try client.scope(for: order.scope) } catch { throw .badScope(error.publicDescription) }
        do throws(OAuthError) {
            return try await tokens(order, for: user, client, scope, as: issuer)
        } catch {
            throw .refused(error)
        }
    }

    private func tokens(
        _ order: Order, for user: User, _ client: Client, _ scope: Scope, as issuer: PreparedIssuer
    ) async throws(OAuthError) -> Tokens {
        let now = context.clock.now()
        let lifetimes = context.configuration.lifetimes
        // As the page of a login says it where a request wants nothing particular.
        let contextClass = context.configuration.contextClasses.first
        var login = Login(
            id: LoginID(from: context.random), userID: user.id,
            authentication: Authentication(at: now, methods: ["pwd"], contextClass: contextClass),
            claims: context.nextLoginClaims.take(for: user.username), expires: now + lifetimes.login)
        let stays = context.stays(of: user.id, with: client)
        login.userStay = stays.user
        let begun = login
        try await context.storing { store throws(StoreError) in try await store.keep(begun) }
        let terms = FamilyTerms(
            id: FamilyID(from: context.random), clientID: client.id, userID: user.id, scope: scope,
            resources: order.resources, loginID: login.id, endsWithLogin: !scope.contains("offline_access"),
            authentication: login.authentication, nonce: order.nonce, loginClaims: login.claims, began: now,
            expires: now + lifetimes.refreshTokens, stays: stays)
        var tokenOrder = TokenOrder(
            client: client, family: try await minter.begin(terms, for: client, as: issuer), scope: scope,
            grant: AuthorizationCodeGrant.type, issuer: issuer, now: now)
        tokenOrder.audience = order.resources
        tokenOrder.nonce = order.nonce
        tokenOrder.override = context.overrides.next(at: TokenEndpoint.location, for: client.id)
        let response = try await minter.tokens(tokenOrder)
        return Tokens(
            accessToken: response.accessToken.text, tokenType: response.accessToken.type,
            expiresIn: response.accessToken.lifetimeSeconds, idToken: response.idToken,
            refreshToken: response.refreshToken, scope: scope.text, familyID: terms.id, loginID: login.id,
            body: response.serialised())
    }
}
