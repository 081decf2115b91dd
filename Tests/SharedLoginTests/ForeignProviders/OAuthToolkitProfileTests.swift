import IdentityProviderTesting
import Networking
import OAuth
import Primitives
import SessionClient
import TestSupport
import Testing

/// The rules of django-oauth-toolkit and our profile of its name, by the same steps at both.
@Suite(
    .enabled(if: OtherImplementations.isInstalled || OtherImplementations.isRequired, OtherImplementations.notInstalled)
) struct OAuthToolkitProfileTests {
    private typealias Step = RotationScript.Step

    /// In the grace period.
    private static let within: [[Step]] = [
        // The same successor again, as often as one likes, until that is used.
        [
            .use(.first), .refresh(1), .use(.first), .refresh(1), .refresh(1), .use(.last), .refresh(2), .refresh(2),
            .refresh(1), .use(.last), .refresh(3),
        ],
        [.refresh(1), .refresh(2), .refresh(2), .refresh(3), .refresh(3), .use(.last), .refresh(4)],
        // What was given back never is good again.
        [.revoke(1), .refresh(1), .use(.first)],
        [.refresh(1), .revoke(2), .refresh(2), .refresh(1), .use(.last)],
    ]
    /// When it is over, or where there is none.
    private static let beyond: [[Step]] = [
        [.refresh(1), .use(.first), .wait, .refresh(1), .use(.last), .refresh(2)],
        [.refresh(1), .refresh(2), .wait, .refresh(1), .use(.last), .refresh(3)],
    ]

    @Test(arguments: [false, true]) func isTheSameWithinTheGracePeriod(isProtected: Bool) async throws {
        try await compare(Self.within, grace: 60, isProtected)
    }

    @Test(arguments: [0, 1], [false, true]) func isTheSameBeyondIt(grace: Int, isProtected: Bool) async throws {
        try await compare(Self.beyond, grace: grace, isProtected)
    }

    private func compare(_ scripts: [[Step]], grace: Int, _ isProtected: Bool) async throws {
        let profile = "django-oauth-toolkit,window=\(grace)s" + (isProtected ? ",revoke=family+access" : "")
        let world = try await ForeignWorld(ForeignProvider.Setup(grace: grace, isProtected: isProtected))
        try await withIdentityProvider(TestSetup(accessTokenLifetime: .seconds(60), rotation: profile)) { idp in
            let ours = TokenClient(
                server: try await Discovery(outbound: world.outbound, clock: world.clock).describe(Issuer(idp.issuer)),
                client: ClientIdentity("native"), outbound: world.outbound, clock: world.clock)
            for steps in scripts {
                let theirs = try await RotationScript(tokens: world.tokens, outbound: world.outbound) {
                    // Its time cannot be turned.
                    try await Task.sleep(for: .seconds(grace) + .milliseconds(100))
                }.run(steps, from: try await world.login().grant)
                let login = try await idp.tokens(for: "alice", client: "native", scope: "openid offline_access")
                let own = try await RotationScript(tokens: ours, outbound: world.outbound) {
                    idp.clock.advance(by: .seconds(grace) + .milliseconds(100))
                }.run(steps, from: TokenGrant(login, at: world.clock.now()))
                #expect(own == theirs, "\(profile)")
            }
        }
    }
}

extension TokenGrant {
    fileprivate init(_ tokens: TestTokens, at moment: Timestamp) {
        self.init(
            accessToken: Secret(utf8: tokens.accessToken), tokenType: tokens.tokenType, expiresIn: tokens.expiresIn,
            refreshToken: tokens.refreshToken.map(Secret.init(utf8:)), receivedAt: moment)
    }
}
