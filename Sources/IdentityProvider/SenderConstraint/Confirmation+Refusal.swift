import OAuth

extension Confirmation {
    /// What a client is told that shows something without the key that it is bound to: its developer would look for another
    /// mistake if it were called spent. Whoever else has it learns no more than its access tokens say of themselves in
    /// `cnf`, and which key it is stands nowhere.
    ///
    /// The proof itself was good, where there was one, so that this is no `invalid_dpop_proof` (RFC 9449 section 5).
    func refusal(of subject: String, shownWith shown: Confirmation?) -> OAuthError {
        OAuthError(
            .invalidGrant, "\(subject) is bound to \(means), and the request came \(Self.fault(of: shown, for: self))",
            cause: "presented without the key that it is bound to")
    }

    private var means: String {
        switch self {
        case .proofKey: "a DPoP key"
        case .certificate: "a client certificate"
        }
    }

    private static func fault(of shown: Confirmation?, for bound: Confirmation) -> String {
        switch (bound, shown) {
        case (.proofKey, .proofKey): "with a proof by another key"
        case (.proofKey, _): "without a DPoP proof"
        case (.certificate, .certificate): "with another certificate"
        case (.certificate, _): "without it"
        }
    }
}
