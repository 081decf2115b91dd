import OAuth
import Primitives

/// The rows of the table. Where a provider rotates only when it is told to, the profile is what it does then; with
/// `rotate=never` it is what it does otherwise.
extension RotationPolicy {
    private static func profile(_ name: String, _ turn: (inout RotationPolicy) -> Void) -> RotationPolicy {
        var policy = RotationPolicy(profile: name)
        turn(&policy)
        return policy
    }

    /// RFC 9700 section 4.14.2, OAuth 2.1 section 4.3.1: each token is good once; one that was replaced ends its family
    /// with the access tokens. There is no window.
    package static let strict = profile("strict") { _ in }

    /// Each token stays good, and is never replaced: the default of Duende (`RefreshTokenUsage` is `ReUse` since version
    /// 7), of Keycloak ("Revoke Refresh Token" is off), and what Google does.
    package static let reuse = profile("reuse") {
        $0.rotation = .never
        $0.revocation = .nothing
    }

    /// developer.okta.com, "Refresh token rotation" and "Grace period for token rotation".
    package static let okta = profile("okta") {
        // A token that was replaced goes on for the grace period: each for its own time.
        $0.replay = .newSuccessor
        $0.ancestors = .any
        // 0 to 60 s, 30 s unless told otherwise.
        $0.window = .seconds(30)
        // The newest refresh token is invalidated, and every access token since the user authenticated.
        $0.revocation = .familyAndAccessTokens
    }

    /// auth0.com, "Refresh Token Rotation" and "Configure Refresh Token Rotation".
    package static let auth0 = profile("auth0") {
        $0.replay = .newSuccessor
        // The leeway is for the token before the current one; the second-to-last or an older one is a breach.
        $0.ancestors = .parent
        // The leeway is off unless somebody sets one.
        $0.window = .zero
        // The family is invalidated. Access tokens are JWTs that nobody asks Auth0 about: they live until they expire.
        $0.revocation = .family
    }

    /// The source of supabase/auth, `internal/tokens/service.go`.
    package static let supabase = profile("supabase") {
        // The counter is not moved: every client comes to the active token.
        $0.replay = .currentToken
        // The parent of the active token at any time, any other within the reuse interval.
        $0.ancestors = .anyAndParentAlways
        // `RefreshTokenReuseInterval`: 10 s as it is hosted, 0 in the source.
        $0.window = .seconds(10)
        // The session is destroyed, and with it what its access tokens open.
        $0.revocation = .familyAndAccessTokens
        // `concurrent-refresh`, `fail-to-save`.
        $0.causeHeader = "sb-auth-refresh-token-reuse-cause"
        $0.headers = [Header("sb-auth-refresh-token-rotated", "true")]
    }

    /// Keycloak's server administration guide, with "Revoke Refresh Token" switched on. How it tells a replay is inferred.
    package static let keycloak = profile("keycloak") {
        $0.replay = .newSuccessor
        // A token that is older than the last refresh is stale, and the use of a newer one is a refresh.
        $0.ancestors = .parent
        $0.useOfChildCloses = true
        $0.replacesSibling = true
        // No window in time; `refreshTokenMaxReuse` counts, and is 0 unless told otherwise.
        $0.window = nil
        $0.count = 0
        // The client session is detached, which is all that the client has in the login: the winner dies too.
        $0.revocation = .grant
    }

    /// Ory's guide "Graceful token refresh". What a loser of a race hears is inferred from what users of it reported.
    package static let hydra = profile("hydra") {
        $0.replay = .newSuccessor
        $0.ancestors = .any
        // `grace_period` is 0 unless told otherwise, at most 5 min, and at most 30 days beside a count.
        $0.window = .zero
        $0.endsPairedAccessToken = true
        // A transaction that cannot be serialised is 400 `invalid_request` with the advice to retry; the retry is a reuse.
        $0.race = .retryableRejection
        $0.revocation = .familyAndAccessTokens
    }

    /// The source of dex, `server/refreshhandlers.go` and `examples/config-dev.yaml`.
    package static let dex = profile("dex") {
        $0.replay = .sameSuccessor
        // One obsolete token is kept beside the current one.
        $0.ancestors = .parent
        // `reuseInterval`: off unless told otherwise, 3 s in the sample.
        $0.window = .zero
        // Within the interval the current token is not replaced either.
        $0.keepsYoung = true
        // A token that was claimed twice is refused, and nothing is revoked. dex calls it `invalid_request`.
        $0.revocation = .nothing
        $0.error = OAuthErrorCode.invalidRequest.rawValue
    }

    /// docs.duendesoftware.com, "Refreshing a Token", with `RefreshTokenUsage` set to `OneTimeOnly`.
    package static let duende = profile("duende") {
        // Not accepted, unless somebody overrides `AcceptConsumedTokenAsync`; nothing is revoked.
        $0.window = .zero
        $0.revocation = .nothing
    }

    /// docs.aws.amazon.com, "RefreshTokenRotationType", with `Feature` set to `ENABLED`.
    package static let cognito = profile("cognito") {
        $0.replay = .newSuccessor
        $0.ancestors = .any
        // `RetryGracePeriodSeconds`: 0 to 60; this is the most.
        $0.window = .seconds(60)
        $0.revocation = .nothing
    }

    /// wso2.com, "Refresh tokens", with "Renew refresh token" and "Graceful refresh token rotation" switched on.
    package static let wso2 = profile("wso2") {
        // A new child, and the one before is revoked. The use of the child closes the window.
        $0.replay = .newSuccessor
        $0.replacesSibling = true
        $0.ancestors = .parent
        $0.useOfChildCloses = true
        // 30 s, at most 60; 1 to 5 times, of which this is the least.
        $0.window = .seconds(30)
        $0.count = 1
        $0.revocation = .nothing
    }

    /// The documentation of node-oidc-provider: `rotateRefreshToken` and `ttl.RefreshToken`. That the whole grant is revoked is
    /// inferred.
    package static let oidcProvider = profile("oidc-provider") {
        // Public clients without sender constraint always, others when 70 % of the lifetime is over.
        $0.rotation = .publicClients(othersAfter: 70)
        // A token is rotated for a year at most, which is 365.25 days there.
        $0.rotatesUntil = .seconds(31_557_600)
        // A token is good for 14 days from its issue, used or not.
        $0.idleLifetime = .seconds(14 * 86_400)
        $0.idleExtension = .newToken
        $0.window = .zero
        $0.revocation = .grant
    }

    /// The source of django-oauth-toolkit, `oauth2_validators.py`; this row was run against version 3.4.1 itself.
    package static let djangoOAuthToolkit = profile("django-oauth-toolkit") {
        $0.replay = .sameSuccessor
        // The successor's access token must be there still, and its own replacement ends it.
        $0.ancestors = .parent
        // `REFRESH_TOKEN_GRACE_PERIOD_SECONDS`: 0 unless told otherwise.
        $0.window = .zero
        $0.endsPairedAccessToken = true
        // Unless `REFRESH_TOKEN_REUSE_PROTECTION` is on, and then the family with its access tokens.
        $0.revocation = .nothing
    }
}
