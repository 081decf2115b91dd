import OAuth

/// What the client sees of a verdict.
extension RotationPolicy {
    /// The refusal in the words of OAuth. One description for all causes but one: who tries learns nothing from it.
    func refusal(_ refusal: Refusal) -> OAuthError {
        if refusal.isRetryable {
            return OAuthError(
                .invalidRequest, "another request with this refresh token was faster; please retry",
                cause: refusal.cause.rawValue)
        }
        guard isReplay(refusal) else { return Self.refused(refusal.cause.rawValue) }
        return OAuthError(
            OAuthErrorCode(named: error, status: status), Self.description, cause: refusal.cause.rawValue)
    }

    /// - Parameter cause: for the log.
    static func refused(_ cause: String) -> OAuthError {
        OAuthError(.invalidGrant, description, cause: cause)
    }

    private static let description =
        "the refresh token is not good (any more), or was given to another client"

    private func isReplay(_ refusal: Refusal) -> Bool {
        (refusal.cause == .reused || refusal.cause == .concurrent) && !refusal.isRetryable
    }

    /// The status, where it is another one than the error has.
    func status(_ refusal: Refusal) -> Int? { isReplay(refusal) ? status : nil }

    /// The fields that go with the answer.
    func headers(for verdict: Verdict) -> [Header] {
        var headers: [Header] = []
        if let refusal = verdict.refusal {
            if isReplay(refusal) { headers = self.headers }
            if let causeHeader { headers.append(Header(causeHeader, refusal.cause.rawValue)) }
        } else if let causeHeader, let causes = verdict.replay?.causes, !causes.isEmpty {
            headers.append(Header(causeHeader, causes.joined(separator: ",")))
        }
        return headers
    }
}

extension RotationPolicy.Replay {
    /// Why somebody presents a token that was replaced, in the words of the provider that says so (Supabase).
    package var causes: [String] {
        (isWithinWindow ? ["concurrent-refresh"] : []) + (isParent ? ["fail-to-save"] : [])
    }
}
