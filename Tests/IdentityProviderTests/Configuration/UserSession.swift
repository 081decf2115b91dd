import IdentityProvider
import OAuth
import Primitives

/// What a user has authorised, with its first refresh token.
struct UserSession {
    let idp: ProviderUnderTest
    let client: String
    let token: String

    init(
        of idp: ProviderUnderTest, client: String, user: String, scope: Scope, loginClaims: JSONObject = [:]
    ) async throws {
        let now = idp.clock.now()
        var family = Family(
            FamilyTerms(
                id: FamilyID(from: SystemRandom()), clientID: client, userID: user, scope: scope,
                authentication: Authentication(at: now, methods: ["pwd"], contextClass: "urn:pawl:acr:password"),
                loginClaims: loginClaims, began: now, expires: nil))
        family.rotation.begin(at: family.terms.began)
        _ = try await idp.context.store.begin(family)
        self.idp = idp
        self.client = client
        token = idp.context.refreshTokens.token(of: family.terms.id, node: 1)
    }

    func refresh(_ form: String = "") async throws -> Answer {
        await idp.token("grant_type=refresh_token&refresh_token=\(token)" + form, basic: "\(client):secret")
    }
}
