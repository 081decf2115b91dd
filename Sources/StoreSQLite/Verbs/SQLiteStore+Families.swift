import IdentityProvider
import OAuth
import Primitives

extension SQLiteStore {
    package func keep(_ family: Family) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.families.insert(family, for: family.id.bytes, at: family.terms.began, in: transaction)
        }
    }

    package func begin(_ family: Family) async throws(StoreError) -> Family.Beginning {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.families.change(family.id.bytes, at: family.terms.began, in: transaction) { known in
                let beginning = Family.Beginning(of: family, beside: known)
                known = beginning.family
                return beginning
            }
        }
    }

    package func family(_ id: FamilyID) async throws(StoreError) -> Family? {
        try await engine.read { connection throws(SQLiteFailure) in
            try tables.families.record(id.bytes, on: connection)
        }
    }

    package func judge<Verdict: Sendable>(
        _ id: FamilyID, by body: @Sendable (inout Family) -> Verdict
    ) async throws(StoreError) -> Verdict? {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.families.changeExisting(id.bytes, in: transaction, by: body)
        }
    }

    package func refresh<Verdict: Sendable>(
        _ id: FamilyID, by body: @Sendable (inout Family, _ login: Login?) -> RefreshOutcome<Verdict>
    ) async throws(StoreError) -> Verdict? {
        // It leaves by a variable: see ``Table/rewrite(_:inPlace:at:in:by:)``.
        var verdict: Verdict?
        try await engine.write { transaction throws(SQLiteFailure) in
            verdict = nil
            try tables.families.changeExisting(id.bytes, in: transaction) { family throws(SQLiteFailure) in
                let login = try family.terms.loginID.flatMap { id throws(SQLiteFailure) in
                    try tables.logins.record(StoreKey.text(id.text), on: transaction.connection)
                }
                let outcome = body(&family, login)
                // First what may be refused: nothing has changed then.
                if let (token, digest) = outcome.accessToken {
                    try tables.accessTokens.insert(
                        token, for: digest.bytes, at: token.facts.issuedAt, in: transaction)
                }
                if let (id, change) = outcome.login {
                    try tables.logins.changeExisting(StoreKey.text(id.text), in: transaction, by: change)
                }
                verdict = outcome.verdict
            }
        }
        return verdict
    }

    package func families(
        where isWanted: @Sendable (Family) -> Bool, limit: Int
    ) async throws(StoreError) -> [Family] {
        try await engine.read { connection throws(SQLiteFailure) in
            try tables.families.records(where: isWanted, limit: limit, on: connection)
        }
    }
}

extension SQLiteStore {
    package func families(
        of loginID: LoginID, where isWanted: @Sendable (Family) -> Bool, limit: Int
    ) async throws(StoreError) -> [Family] {
        try await engine.read { connection throws(SQLiteFailure) in
            try tables.families.records(of: loginID, where: isWanted, limit: limit, on: connection)
        }
    }
}

// MARK: - Logins

extension SQLiteStore {
    package func keep(_ login: Login) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.logins.insert(
                login, for: StoreKey.text(login.id.text), at: login.authentication.moment, in: transaction)
        }
    }

    package func login(_ id: LoginID) async throws(StoreError) -> Login? {
        try await engine.read { connection throws(SQLiteFailure) in
            try tables.logins.record(StoreKey.text(id.text), on: connection)
        }
    }

    package func change<Result: Sendable>(
        _ id: LoginID, by body: @Sendable (inout Login) -> Result
    ) async throws(StoreError) -> Result? {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.logins.changeExisting(StoreKey.text(id.text), in: transaction, by: body)
        }
    }

    package func logins(where isWanted: @Sendable (Login) -> Bool, limit: Int) async throws(StoreError) -> [Login] {
        try await engine.read { connection throws(SQLiteFailure) in
            try tables.logins.records(where: isWanted, limit: limit, on: connection)
        }
    }
}
