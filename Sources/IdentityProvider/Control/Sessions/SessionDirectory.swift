import OAuth
import Primitives

/// Looks at the logins and families of a tenant, and ends them: for whoever runs it, not for clients.
package struct SessionDirectory: Sendable {
    private let context: ProviderContext
    private let batchCount: Int

    /// As many of each are shown.
    package static let maximumCount = 100_000

    /// - Parameter batchCount: how many are looked for at once, where all are ended.
    package init(context: ProviderContext, batchCount: Int = 10_000) {
        precondition(batchCount > 0, "a batch of none never ends")
        self.context = context
        self.batchCount = batchCount
    }

    /// The newest first.
    package func logins(
        limit: Int = SessionDirectory.maximumCount, where isWanted: @Sendable (Login) -> Bool = { _ in true }
    ) async throws(OAuthError) -> [Login] {
        let found = try await context.storing { store throws(StoreError) in
            try await store.logins(where: isWanted, limit: Self.maximumCount)
        }
        return Array(found.sorted { $0.authentication.moment > $1.authentication.moment }.prefix(limit))
    }

    /// The newest first.
    package func families(
        limit: Int = SessionDirectory.maximumCount, where isWanted: @Sendable (Family) -> Bool = { _ in true }
    ) async throws(OAuthError) -> [Family] {
        let found = try await context.storing { store throws(StoreError) in
            try await store.families(where: isWanted, limit: Self.maximumCount)
        }
        return Array(found.sorted { $0.terms.began > $1.terms.began }.prefix(limit))
    }

    /// Ends a login with all that was authorised in it, or one family; `false` when there is neither.
    package func end(_ id: String) async throws(OAuthError) -> Bool {
        if try await endLogin(LoginID(id)) { return true }
        guard let familyID = FamilyID(id) else { return false }
        return try await endFamily(familyID)
    }

    /// Ends whatever is of these, however much it is.
    ///
    /// - Parameter isWanted: told the user and, for a family, the client.
    package func endAll(where isWanted: @Sendable (_ userID: String, _ clientID: String?) -> Bool)
        async throws(OAuthError)
    {
        let now = context.clock.now()
        while true {
            let logins = try await context.storing { store throws(StoreError) in
                try await store.logins(where: { $0.ended == nil && isWanted($0.userID, nil) }, limit: batchCount)
            }
            // The clients hear of it as of any logout.
            try await LoginEnding(context: context).end(logins.map(\.id), .ended, as: nil, at: now)
            if logins.count < batchCount { break }
        }
        // With a login ends all that was authorised in it.
        try await endFamilies { terms in
            isWanted(terms.userID, terms.clientID) || (terms.loginID != nil && isWanted(terms.userID, nil))
        }
    }

    /// Ends whatever hung on users and clients that are not there any more, and forgets what was agreed to: who gets the
    /// same subject or the same name later, be it the same one again, finds nothing of it.
    package func forget(users: Set<String> = [], clients: Set<String> = []) async throws(OAuthError) {
        guard !(users.isEmpty && clients.isEmpty) else { return }
        let (users, clients) = (Set(users.map { ExactText($0) }), Set(clients.map { ExactText($0) }))
        // First what would begin, and then what has begun.
        try await context.storing { store throws(StoreError) in
            try await store.withdrawGrants { terms in
                users.contains(ExactText(terms.userID)) || clients.contains(ExactText(terms.clientID))
            }
        }
        try await endAll { userID, clientID in
            users.contains(ExactText(userID)) || clientID.map { clients.contains(ExactText($0)) } ?? false
        }
        try await context.storing { store throws(StoreError) in
            try await store.withdrawConsents { userID, clientID in
                users.contains(ExactText(userID)) || clients.contains(ExactText(clientID))
            }
        }
    }

    private func endFamilies(where isWanted: @Sendable (FamilyTerms) -> Bool) async throws(OAuthError) {
        let now = context.clock.now()
        while true {
            let families = try await context.storing { store throws(StoreError) in
                try await store.families(where: { $0.ended == nil && isWanted($0.terms) }, limit: batchCount)
            }
            for family in families {
                _ = try await context.storing { store throws(StoreError) in
                    try await store.judge(family.id) { $0.end(.ended, at: now) }
                }
            }
            if families.count < batchCount { return }
        }
    }

    private func endLogin(_ id: LoginID) async throws(OAuthError) -> Bool {
        let now = context.clock.now()
        let login = try await context.storing { store throws(StoreError) in try await store.login(id) }
        guard login != nil else { return false }
        // The clients hear of it as of any logout.
        try await LoginEnding(context: context).end([id], .ended, as: nil, at: now)
        try await endFamilies { $0.loginID == id }
        return true
    }

    private func endFamily(_ id: FamilyID) async throws(OAuthError) -> Bool {
        let now = context.clock.now()
        let ended: Void? = try await context.storing { store throws(StoreError) in
            try await store.judge(id) { $0.end(.ended, at: now) }
        }
        return ended != nil
    }
}
