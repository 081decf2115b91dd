import IdentityProvider
import OAuth
import Primitives
import Testing

/// Each row of the table, cell by cell.
@Suite struct RotationProfileTests {
    @Test func theTableIsWhole() {
        #expect(
            RotationPolicy.profiles.map(\.profile) == [
                "strict", "reuse", "okta", "auth0", "supabase", "keycloak", "hydra", "dex", "duende", "cognito", "wso2",
                "oidc-provider", "django-oauth-toolkit",
            ])
        for profile in RotationProfile.all {
            #expect(RotationPolicy.named(profile.name) == profile.policy)
            #expect(!profile.sources.isEmpty && !profile.summary.isEmpty)
            for knob in profile.sources.flatMap(\.knobs) { #expect(RotationKnob.named(knob) != nil, "\(knob)") }
        }
        #expect(RotationPolicy.named("Okta") == nil)
        #expect(RotationPolicy.named("okta,window=5s") == nil)
    }

    /// Whatever a profile has other than the strictest rules has a source.
    @Test(arguments: RotationProfile.all.map(\.name))
    func everyFigureHasASource(name: String) throws {
        let profile = try #require(RotationProfile.named(name))
        let sourced = Set(profile.sources.flatMap(\.knobs))
        for knob in RotationKnob.all where knob.write(profile.policy) != knob.write(.strict) {
            #expect(sourced.contains(knob.name), "\(knob.name)")
        }
    }

    // RFC 9700 section 4.14.2.

    @Test func strictTakesEachTokenOnce() {
        var line = RotationLine(.strict)
        #expect(line.present(1) == "2")
        #expect(line.present(2) == "3")
        #expect(line.leaves == [3])
        #expect(line.family.rotation.rotatedAt == line.now)
    }

    @Test(arguments: [1, 2] as [UInt32], [true, false])
    func strictEndsTheFamilyOfASpentTokenWithItsAccessTokens(node: UInt32, inRace: Bool) {
        var line = RotationLine(.strict)
        _ = line.present(1)
        _ = line.present(2)
        #expect(line.present(node, inRace: inRace) == "reused")
        #expect(line.family.ended == Family.Ending(.refreshTokenReused, at: line.now))
        #expect(line.family.isOver)
        #expect(line.present(3) == "ended")
    }

    @Test func reuseNeverReplacesAToken() {
        var line = RotationLine(.reuse)
        for _ in 0..<100 {
            line.wait(.seconds(86_400))
            #expect(line.present(1) == "1 kept")
        }
        #expect(line.leaves == [1])
        #expect(line.ended == nil)
    }

    @Test func oktaTakesTheTokenBeforeForThirtySeconds() {
        var line = RotationLine(.okta)
        #expect(line.present(1) == "2")
        line.wait(.milliseconds(29_999))
        #expect(line.present(1) == "3 for a replay")
        // The new one stands beside the one before.
        #expect(line.leaves == [2, 3])
        #expect(line.present(2) == "4")
        // The window of the first is its own.
        #expect(line.present(1) == "5 for a replay")
    }

    @Test func oktaEndsTheFamilyWithAllAccessTokensAfterwards() {
        var line = RotationLine(.okta)
        _ = line.present(1)
        line.wait(.seconds(30))
        #expect(line.present(1) == "reused")
        #expect(line.ended == .everything)
    }

    @Test func auth0HasNoLeewayUnlessTold() {
        var line = RotationLine(.auth0)
        #expect(line.present(1) == "2")
        #expect(line.present(1) == "reused")
        // The family is invalidated, and its access tokens live until they expire.
        #expect(line.ended == .refreshTokens)
        #expect(!line.family.isOver)
        #expect(line.present(2) == "ended")
    }

    @Test func auth0TakesTheImmediatelyPreviousTokenWithinTheLeeway() throws {
        var line = try RotationLine("auth0,window=10s")
        #expect(line.present(1) == "2")
        #expect(line.present(1) == "3 for a replay")
        #expect(line.leaves == [2, 3])
    }

    @Test func auth0TakesTheSecondToLastForABreachWithinTheLeewayToo() throws {
        var line = try RotationLine("auth0,window=10s")
        _ = line.present(1)
        _ = line.present(2)
        #expect(line.present(2) == "4 for a replay")
        #expect(line.present(1) == "reused")
        #expect(line.ended == .refreshTokens)
    }

    @Test func supabaseGivesEverybodyTheCurrentToken() {
        var line = RotationLine(.supabase)
        #expect(line.present(1) == "2")
        #expect(line.present(2) == "3")
        line.wait(.milliseconds(9_999))
        #expect(line.present(1) == "3 again")
        #expect(line.present(2) == "3 again")
        #expect(line.leaves == [3])
    }

    @Test func supabaseTakesTheParentOfTheActiveTokenAtAnyTime() throws {
        var line = RotationLine(.supabase)
        _ = line.present(1)
        line.wait(.seconds(86_400))
        #expect(
            line.judge(1) == .granted(node: 2, isRotated: false, replay: .init(isWithinWindow: false, isParent: true)))
        // And so it does where there is no window at all, as in the source.
        line = try RotationLine("supabase,window=0s")
        _ = line.present(1)
        #expect(line.present(1) == "2 again")
    }

    @Test func supabaseDestroysTheSessionOfAnOlderToken() {
        var line = RotationLine(.supabase)
        _ = line.present(1)
        _ = line.present(2)
        line.wait(.seconds(10))
        #expect(line.present(1) == "reused")
        #expect(line.ended == .everything)
    }

    /// `concurrent-refresh` and `fail-to-save`, as the provider says it.
    @Test func supabaseNamesTheCauses() throws {
        var line = RotationLine(.supabase)
        _ = line.present(1)
        #expect(line.judge(1).replay?.causes == ["concurrent-refresh", "fail-to-save"])
        _ = line.present(2)
        #expect(line.judge(1).replay?.causes == ["concurrent-refresh"])
        line.wait(.seconds(10))
        #expect(line.judge(2).replay?.causes == ["fail-to-save"])
    }

    @Test func keycloakCountsAndHasNoWindow() throws {
        var line = RotationLine(.keycloak)
        #expect(line.present(1) == "2")
        #expect(line.present(1) == "reused")
        // The client session is detached: the winner dies too, and what else the client has in the login.
        #expect(line.judge(2) == .refused(.init(.ended, endsGrant: true)))
        #expect(line.ended == .grant)
        line = try RotationLine("keycloak,count=1")
        _ = line.present(1)
        line.wait(.seconds(86_400))
        #expect(line.present(1) == "3 for a replay")
        #expect(line.leaves == [3])
        #expect(line.present(1) == "reused")
    }

    @Test func keycloakTakesATokenForStaleOnceItsSuccessorIsUsed() throws {
        var line = try RotationLine("keycloak,count=5")
        _ = line.present(1)
        _ = line.present(2)
        #expect(line.present(1) == "reused")
    }

    @Test func hydraTellsTheLoserOfARaceToRetryAndTakesTheRetryForReuse() {
        var line = RotationLine(.hydra)
        #expect(line.present(1) == "2")
        #expect(line.present(1, inRace: true) == "concurrent, retry")
        #expect(line.present(1, inRace: true) == "concurrent, retry")
        #expect(line.ended == nil)
        #expect(line.leaves == [2])
        #expect(line.present(1) == "reused")
        #expect(line.ended == .everything)
    }

    @Test func hydraGivesANewPairForEachUseWithinTheGrace() throws {
        var line = try RotationLine("hydra,window=5m")
        for node in 2...5 as ClosedRange<UInt32> { #expect(line.present(1).hasPrefix("\(node)")) }
        #expect(line.leaves == [2, 3, 4, 5])
        line.wait(.seconds(300))
        #expect(line.present(1) == "reused")
        #expect(RotationPolicy.hydra.endsPairedAccessToken)
    }

    @Test func hydraCountsWithinTheGrace() throws {
        var line = try RotationLine("hydra,window=1h,count=2")
        for _ in 0..<3 { _ = line.present(1) }
        #expect(line.leaves == [2, 3, 4])
        #expect(line.present(1) == "reused")
    }

    @Test func dexRefusesWhatWasClaimedTwiceAndRevokesNothing() {
        var line = RotationLine(.dex)
        #expect(line.present(1) == "2")
        #expect(line.present(1) == "reused")
        #expect(line.ended == nil)
        #expect(line.present(2) == "3")
    }

    @Test func dexGivesTheSameSuccessorWithinTheInterval() throws {
        var line = try RotationLine("dex,window=3s")
        line.wait(.seconds(3))
        #expect(line.present(1) == "2")
        line.wait(.milliseconds(2_999))
        #expect(line.present(1) == "2 again")
        // The current token is not replaced within the interval either.
        #expect(line.present(2) == "2 kept")
        line.wait(.milliseconds(1))
        #expect(line.present(2) == "3")
        #expect(line.present(1) == "reused")
        #expect(line.leaves == [3])
        #expect(line.ended == nil)
    }

    @Test func duendeRefusesAndRevokesNothing() {
        var line = RotationLine(.duende)
        #expect(line.present(1) == "2")
        #expect(line.present(1) == "reused")
        #expect(line.ended == nil)
        #expect(line.present(2) == "3")
    }

    @Test func cognitoTakesTheOriginalForTheGracePeriodAndRejectsItAfterwards() {
        var line = RotationLine(.cognito)
        #expect(line.present(1) == "2")
        line.wait(.milliseconds(59_999))
        #expect(line.present(1) == "3 for a replay")
        line.wait(.milliseconds(1))
        #expect(line.present(1) == "reused")
        #expect(line.ended == nil)
        #expect(line.leaves == [2, 3])
    }

    @Test func wso2GivesANewChildForThePriorOne() {
        var line = RotationLine(.wso2)
        #expect(line.present(1) == "2")
        line.wait(.milliseconds(29_999))
        #expect(line.present(1) == "3 for a replay")
        #expect(line.leaves == [3])
        #expect(line.present(2) == "reused")
        // Once, and no more.
        #expect(line.present(1) == "reused")
        #expect(line.ended == nil)
        #expect(line.present(3) == "4")
    }

    @Test func wso2ClosesTheWindowWithTheUseOfTheChild() throws {
        var line = try RotationLine("wso2,count=5")
        _ = line.present(1)
        _ = line.present(2)
        #expect(line.present(1) == "reused")
        #expect(line.ended == nil)
    }

    @Test func oidcProviderReplacesTheTokensOfPublicClients() {
        var line = RotationLine(.oidcProvider)
        #expect(line.present(1, fromPublicClient: true) == "2")
        #expect(line.present(1, fromPublicClient: true) == "reused")
        #expect(line.ended == .grant)
    }

    /// 70 % of 14 days.
    @Test(arguments: [true, false])
    func oidcProviderReplacesOthersLate(isPublicAndBound: Bool) {
        var line = RotationLine(.oidcProvider, isBound: isPublicAndBound)
        line.wait(.milliseconds(846_719_999))
        #expect(line.present(1, fromPublicClient: isPublicAndBound) == "1 kept")
        line.wait(.milliseconds(1))
        #expect(line.present(1, fromPublicClient: isPublicAndBound) == "2")
    }

    /// 14 days from its issue, whoever uses it meanwhile.
    @Test func oidcProviderGivesEachTokenItsOwnTime() {
        var line = RotationLine(.oidcProvider)
        line.wait(.seconds(9 * 86_400))
        #expect(line.present(1) == "1 kept")
        line.wait(.milliseconds(5 * 86_400_000 - 1))
        #expect(line.present(1) == "2")
        line = RotationLine(.oidcProvider)
        line.wait(.seconds(9 * 86_400))
        #expect(line.present(1) == "1 kept")
        line.wait(.seconds(5 * 86_400))
        #expect(line.present(1) == "idle")
    }

    /// 365.25 days.
    @Test func oidcProviderReplacesNothingAfterAYear() {
        var line = RotationLine(.oidcProvider)
        var node: UInt32 = 1
        while line.now + .seconds(86_400) < RotationLine.start + .seconds(31_557_600) {
            line.wait(.seconds(86_400))
            #expect(line.present(node, fromPublicClient: true) == "\(node + 1)")
            node += 1
        }
        line.now = RotationLine.start + .seconds(31_557_600)
        #expect(line.present(node, fromPublicClient: true) == "\(node) kept")
    }

    @Test func djangoOAuthToolkitGivesTheSameSuccessorWithinTheGracePeriod() throws {
        var line = try RotationLine("django-oauth-toolkit,window=2m")
        #expect(line.present(1) == "2")
        #expect(line.present(1) == "2 again")
        #expect(line.leaves == [2])
        _ = line.present(2)
        #expect(line.present(1) == "reused")
        #expect(line.present(2) == "3 again")
    }

    @Test func djangoOAuthToolkitHasNoGracePeriodAndEndsNothingUnlessTold() {
        var line = RotationLine(.djangoOAuthToolkit)
        _ = line.present(1)
        #expect(line.present(1) == "reused")
        #expect(line.ended == nil)
        #expect(line.present(2) == "3")
    }

    @Test func djangoOAuthToolkitEndsTheAccessTokenWithTheTokenThatItCameWith() {
        #expect(RotationPolicy.djangoOAuthToolkit.endsPairedAccessToken)
    }
}
