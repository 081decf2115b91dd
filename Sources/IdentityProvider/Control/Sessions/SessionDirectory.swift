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

    /// Ends whatever is of these, however much it is. The clients hear of it as of any logout, when all has ended.
    ///
    /// - Parameter isWanted: told the user and, for a family, the client.
    package func endAll(where isWanted: @Sendable (_ userID: String, _ clientID: String?) -> Bool)
        async throws(OAuthError)
    {
        var steps = Steps()
        let logins = await endLogins(noting: &steps) { isWanted($0.userID, nil) }
        // With a login ends all that was authorised in it.
        await steps.take { () async throws(OAuthError) in
            try await endFamilies { terms in
                isWanted(terms.userID, terms.clientID) || (terms.loginID != nil && isWanted(terms.userID, nil))
            }
        }
        await LoginEnding(context: context).announce(logins, as: nil)
        try steps.finish()
    }

    /// Forgets whatever hung on users and clients that were removed: what they had begun and what was agreed to is gone,
    /// what they were given has ended. It is good for nothing already, for it is of a stay that is over (`Stays`): so what
    /// somebody begins who has come back meanwhile stays his, and what a store cannot do now the next call finishes.
    package func forget(users: Set<String> = [], clients: Set<String> = []) async throws(OAuthError) {
        var gone = context.departures.take()
        gone.users.formUnion(users.map { ExactText($0) })
        gone.clients.formUnion(clients.map { ExactText($0) })
        guard !gone.isEmpty else { return }
        var steps = Steps()
        let logins = await forget(gone, noting: &steps)
        if steps.failure != nil { context.departures.add(gone) }
        // Nobody who answers slowly keeps anything alive.
        await LoginEnding(context: context).announce(logins, as: nil)
        try steps.finish()
    }

    /// Finishes what a store could not do when it was asked to; `false`: there is nothing of that kind.
    package func finishForgetting() async throws(OAuthError) -> Bool {
        guard !context.departures.isEmpty else { return false }
        try await forget()
        return true
    }

    private func forget(_ gone: Departures.Names, noting steps: inout Steps) async -> [Login] {
        let context = context
        // First what would begin, and then what has begun.
        await steps.take { () async throws(OAuthError) in
            try await context.storing { store throws(StoreError) in
                try await store.withdrawGrants { userID, clientID in
                    userID.map { gone.users.contains(ExactText($0)) } ?? false
                        || gone.clients.contains(ExactText(clientID))
                }
            }
        }
        for client in gone.clients {
            await steps.take { () async throws(OAuthError) in
                try await context.storing { store throws(StoreError) in
                    try await store.removeRegistration(of: client.text)
                }
            }
        }
        // A client of the same name hears nothing of logins that it had no part in.
        for client in gone.clients {
            await steps.take { () async throws(OAuthError) in try await takeOutOfLogins(client) }
        }
        let logins = await endLogins(noting: &steps) { login in
            gone.users.contains(ExactText(login.userID)) && !(login.userStay != nil && context.holds(login))
        }
        await steps.take { () async throws(OAuthError) in
            try await endFamilies { terms in
                (gone.users.contains(ExactText(terms.userID)) || gone.clients.contains(ExactText(terms.clientID)))
                    && !(terms.stays != nil && context.holds(terms))
            }
        }
        await steps.take { () async throws(OAuthError) in
            try await context.storing { store throws(StoreError) in
                try await store.withdrawConsents { userID, clientID in
                    gone.users.contains(ExactText(userID)) || gone.clients.contains(ExactText(clientID))
                }
            }
        }
        return logins
    }

    /// Each step is taken, whatever became of those before it.
    private struct Steps {
        /// The first.
        private(set) var failure: OAuthError?

        mutating func take(_ step: () async throws(OAuthError) -> Void) async {
            do throws(OAuthError) { try await step() } catch { note(error) }
        }

        mutating func note(_ error: OAuthError) { failure = failure ?? error }

        func finish() throws(OAuthError) {
            if let failure { throw failure }
        }
    }

    /// Those that have ended, and that some client hears of.
    private func endLogins(
        noting steps: inout Steps, where isWanted: @Sendable (Login) -> Bool
    ) async -> [Login] {
        let now = context.clock.now()
        var ended: [Login] = []
        while true {
            let logins: [Login]
            do throws(OAuthError) {
                logins = try await context.storing { store throws(StoreError) in
                    try await store.logins(where: { $0.ended == nil && isWanted($0) }, limit: batchCount)
                }
            } catch {
                steps.note(error)
                return ended
            }
            let outcome = await LoginEnding(context: context).endQuietly(logins.map(\.id), .ended, at: now)
            ended += outcome.ended.filter { !$0.clientIDs.isEmpty }
            if let failure = outcome.failure {
                steps.note(failure)
                return ended
            }
            if logins.count < batchCount { return ended }
        }
    }

    private func takeOutOfLogins(_ client: ExactText) async throws(OAuthError) {
        while true {
            let logins = try await context.storing { store throws(StoreError) in
                try await store.logins(
                    where: { $0.clientIDs.contains { ExactText($0) == client } }, limit: batchCount)
            }
            for login in logins {
                try await context.storing { store throws(StoreError) in
                    _ = try await store.change(login.id) { $0.remove(client.text) }
                }
            }
            if logins.count < batchCount { return }
        }
    }

    /// - Parameter loginID: the login that all of them are of, where that is known.
    private func endFamilies(
        of loginID: LoginID? = nil, where isWanted: @Sendable (FamilyTerms) -> Bool = { _ in true }
    ) async throws(OAuthError) {
        let now = context.clock.now()
        while true {
            let families = try await context.storing { store throws(StoreError) in
                guard let loginID else {
                    return try await store.families(where: { !$0.isOver && isWanted($0.terms) }, limit: batchCount)
                }
                return try await store.families(
                    of: loginID, where: { !$0.isOver && isWanted($0.terms) }, limit: batchCount)
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
        let ending = LoginEnding(context: context)
        var steps = Steps()
        let outcome = await ending.endQuietly([id], .ended, at: now)
        if let failure = outcome.failure { steps.note(failure) }
        await steps.take { () async throws(OAuthError) in try await endFamilies(of: id) }
        // The clients hear of it as of any logout.
        await ending.announce(outcome.ended, as: nil)
        try steps.finish()
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
