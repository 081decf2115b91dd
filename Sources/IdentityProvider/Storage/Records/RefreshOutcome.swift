/// What a refresh changes besides its family: kept with it, or nothing is.
package struct RefreshOutcome<Verdict: Sendable>: Sendable {
    package let verdict: Verdict
    /// The opaque access token of the answer.
    package var accessToken: (record: AccessTokenRecord, digest: TokenDigest)?
    /// What becomes of the login, if that is there.
    package var login: (id: LoginID, change: @Sendable (inout Login) -> Void)?

    package init(_ verdict: Verdict) {
        self.verdict = verdict
    }
}
