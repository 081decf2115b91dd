import IdentityProvider
import OAuth
import Primitives

extension SQLiteStore {
    package func keep(_ token: AccessTokenRecord, named digest: TokenDigest) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.accessTokens.insert(token, for: digest.bytes, at: token.facts.issuedAt, in: transaction)
        }
    }

    package func accessToken(
        named digest: TokenDigest, at now: Timestamp
    ) async throws(StoreError) -> AccessTokenRecord? {
        let found = try await engine.read { connection throws(SQLiteFailure) in
            try tables.accessTokens.record(digest.bytes, on: connection)
        }
        return found.flatMap { $0.isGood(at: now) ? $0 : nil }
    }

    package func revokeAccessToken(
        _ identifier: String, expiring: Timestamp, at now: Timestamp
    ) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.revokedAccessTokens.insert(
                ExpiryRecord(expiring), for: StoreKey.text(identifier), at: now, in: transaction)
        }
    }

    package func isAccessTokenRevoked(_ identifier: String, at now: Timestamp) async throws(StoreError) -> Bool {
        try await engine.read { connection throws(SQLiteFailure) in
            try tables.revokedAccessTokens.record(StoreKey.text(identifier), on: connection) != nil
        }
    }
}
