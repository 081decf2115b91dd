import OAuth
import Primitives

extension ProviderContext {
    /// Ends what else a client was authorised to in the login of a family whose refresh token was reused.
    ///
    /// The family itself has ended by then, and remembers that the others have to: should the store fail in between, the
    /// next request with a token of the family goes on with it.
    func endGrant(of family: Family, at now: Timestamp) async throws(OAuthError) {
        try await storing { store throws(StoreError) in
            if let loginID = family.terms.loginID {
                try await store.endFamilies(of: family.terms.clientID, in: loginID, .refreshTokenReused, at: now)
            }
            _ = try await store.judge(family.id) { family in
                if family.ended?.reach == .grant { family.ended?.reach = .everything }
            }
        }
    }

    /// Whether a family was forked from one that has ended, or that was forked from one that has.
    ///
    /// Like the end of a login, that end is one word in one record, and whoever follows from it looks there: a thief who
    /// forks what he has stolen has nothing when the theft is found out, however near together the two come.
    ///
    /// - Parameter sparingAccessTokens: where the refresh tokens alone have ended, access tokens are good until they expire.
    func hasLostOrigin(_ terms: FamilyTerms, sparingAccessTokens: Bool = false) async throws(OAuthError) -> Bool {
        var next = terms.origin
        while let id = next {
            let origin = try await storing { store throws(StoreError) in try await store.family(id) }
            // It was forgotten with its end.
            guard let origin else { return true }
            if sparingAccessTokens ? origin.isOver : origin.ended != nil { return true }
            next = origin.terms.origin
        }
        return false
    }

    /// Whether a family has ended with the login that it was authorised in.
    func hasLostLogin(_ terms: FamilyTerms) async throws(OAuthError) -> Bool {
        guard terms.endsWithLogin, let id = terms.loginID else { return false }
        let login = try await storing { store throws(StoreError) in try await store.login(id) }
        return login == nil || login?.ended != nil
    }

    /// Why what a user authorised does not hold any more.
    enum Loss: String {
        case unknown = "unknown family"
        case ended
        case removed = "user or client removed"
        case originEnded = "origin ended"
        case loginEnded = "login ended"
    }

    /// `nil`: it holds, and what it was forked from: a refresh token has nothing to outlive.
    func loss(of id: FamilyID) async throws(OAuthError) -> Loss? {
        let family = try await storing { store throws(StoreError) in try await store.family(id) }
        guard let family else { return .unknown }
        guard !family.isOver else { return .ended }
        guard holds(family.terms) else { return .removed }
        guard try await !hasLostOrigin(family.terms) else { return .originEnded }
        return try await hasLostLogin(family.terms) ? .loginEnded : nil
    }

    /// Judges a refresh token that is shown for something else than a refresh, as a refresh would, and leaves it as good as it
    /// was. One that was replaced before tells as much of a theft as it does there.
    ///
    /// - Returns: why it gets nothing; `nil`: neither it nor what it belongs to is over.
    func refusal(
        ofShown node: UInt32, of id: FamilyID, by client: Client, at now: Timestamp
    ) async throws(OAuthError) -> String? {
        let policy = rotation(for: client)
        let judged = try await storing { store throws(StoreError) in
            try await store.judge(id) { family in
                (refusal: policy.inspect(&family, showing: node, at: now).refusal, family: family)
            }
        }
        guard let judged, let refusal = judged.refusal else {
            return try await loss(of: id)?.rawValue
        }
        if refusal.endsGrant { try await endGrant(of: judged.family, at: now) }
        return refusal.cause.rawValue
    }
}
