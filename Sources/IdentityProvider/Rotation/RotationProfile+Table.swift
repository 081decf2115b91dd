extension RotationProfile {
    /// In the order of the table.
    package static let all: [RotationProfile] = [
        RotationProfile(
            .strict, "RFC 9700 and OAuth 2.1: each token once",
            [
                Source(["rotate", "window"], "RFC 9700 section 4.14.2: the former token is invalidated at once"),
                Source(["revoke"], "RFC 9700 section 4.14.2: the active token is revoked, and the access with it"),
                Source(["error"], "RFC 6749 section 5.2"),
            ]),
        RotationProfile(
            .reuse, "Duende's and Keycloak's default, and Google: one token for ever",
            [
                Source(["rotate"], "Duende: RefreshTokenUsage is ReUse; Keycloak: Revoke Refresh Token is off"),
                Source(["revoke"], "nothing is ever replaced, so that nothing can be replayed"),
            ]),
        RotationProfile(
            .okta, "Okta: the token before stays valid for a while",
            [
                Source(["rotate"], "developer.okta.com, Refresh token rotation: the default of single-page apps"),
                Source(["replay", "ancestors"], "the same: the previous token remains valid for the grace period"),
                Source(["window"], "the same: 0 to 60 s, 30 s unless told otherwise"),
                Source(
                    ["revoke"],
                    "the same: the newest refresh token, and all access tokens since the user authenticated"),
            ]),
        RotationProfile(
            .auth0, "Auth0: the token before alone, within the leeway",
            [
                Source(["rotate"], "auth0.com, Refresh Token Rotation: where rotation_type is rotating"),
                Source(["replay", "ancestors"], "the same: second-to-last or older is a breach"),
                Source(["window"], "auth0.com, Configure Refresh Token Rotation: leeway, disabled by default"),
                Source(["revoke"], "auth0.com, Refresh Token Rotation: the family is invalidated"),
            ]),
        RotationProfile(
            .supabase, "Supabase: everybody comes to the current token",
            [
                Source(["replay", "ancestors"], "supabase/auth, internal/tokens/service.go"),
                Source(["window"], "RefreshTokenReuseInterval: 10 s as hosted, 0 in the source"),
                Source(["revoke"], "the same: the session is destroyed"),
                Source(["cause-header", "headers"], "supabase/auth, internal/tokens/service.go"),
            ]),
        RotationProfile(
            .keycloak, "Keycloak with Revoke Refresh Token: counted, without a window",
            [
                Source(["rotate"], "server administration guide: Revoke Refresh Token, off by default"),
                Source(["window", "count"], "the same: Refresh Token Max Reuse, 0; there is no window in time"),
                Source(
                    ["replay", "ancestors", "use-closes", "siblings"],
                    "what is older than the last refresh is stale; inferred"),
                Source(["revoke"], "the client session, one for a client in a login, is detached: the winner dies too"),
            ]),
        RotationProfile(
            .hydra, "Ory Hydra: a new pair each time within the grace",
            [
                Source(["window", "count"], "Graceful token refresh: 0; at most 5 min, or 30 days beside a count"),
                Source(
                    ["replay", "ancestors", "pair"],
                    "the same: each use gives a new pair; that the paired access token goes is inferred"),
                Source(["race"], "400 invalid_request with the advice to retry, and the retry is a reuse; inferred"),
                Source(["revoke"], "everything of the request is revoked; inferred"),
            ]),
        RotationProfile(
            .dex, "dex: the same successor again",
            [
                Source(["replay", "ancestors", "young"], "dexidp/dex, server/refreshhandlers.go"),
                Source(["window"], "reuseInterval: off; 3 s in the sample configuration"),
                Source(["revoke", "error"], "the same: claimed twice, invalid_request, and nothing is revoked"),
            ]),
        RotationProfile(
            .duende, "Duende with OneTimeOnly: refused, and nothing else",
            [
                Source(["rotate"], "docs.duendesoftware.com: RefreshTokenUsage is OneTimeOnly"),
                Source(["window", "revoke"], "the same: AcceptConsumedTokenAsync refuses; revoking is left to code"),
            ]),
        RotationProfile(
            .cognito, "Amazon Cognito with rotation: the original stays valid for a while",
            [
                Source(["rotate"], "API reference, RefreshTokenRotationType: Feature, opt-in"),
                Source(["window"], "the same: RetryGracePeriodSeconds, 0 to 60; this is the most"),
                Source(["replay", "ancestors", "revoke"], "the same: accepted in the grace period, rejected after"),
            ]),
        RotationProfile(
            .wso2, "WSO2 with graceful rotation: a new child for the one before",
            [
                Source(["replay", "siblings"], "wso2.com, Refresh tokens: the prior child is revoked"),
                Source(["use-closes", "ancestors"], "the same: the use of the child closes the window"),
                Source(["window", "count"], "the same: 30 s, at most 60; 1 to 5 times, of which this is the least"),
                Source(["revoke"], "the same: rejected"),
            ]),
        RotationProfile(
            .oidcProvider, "node-oidc-provider: public clients always, others late",
            [
                Source(["rotate", "rotate-until"], "documentation, rotateRefreshToken: 70 % of the lifetime, a year"),
                Source(["idle", "idle-extends"], "documentation, ttl.RefreshToken: 14 days from the issue"),
                Source(["window", "revoke"], "the grant is revoked; inferred"),
            ]),
        RotationProfile(
            .djangoOAuthToolkit, "django-oauth-toolkit: the same successor within the grace period",
            [
                Source(["rotate"], "ROTATE_REFRESH_TOKEN, on by default; this row was run against version 3.4.1"),
                Source(["replay", "ancestors", "pair"], "oauth2_validators.py"),
                Source(["window"], "REFRESH_TOKEN_GRACE_PERIOD_SECONDS: 0"),
                Source(["race"], "the loser gets the successor too, even with no grace period, and is refused here"),
                Source(["revoke"], "REFRESH_TOKEN_REUSE_PROTECTION: off; with it the family with its access tokens"),
            ]),
    ]
}
