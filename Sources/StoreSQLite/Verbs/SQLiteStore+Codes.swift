import IdentityProvider
import OAuth
import Primitives

extension SQLiteStore {
    package func keep(_ code: AuthorizationCode, named digest: TokenDigest) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.codes.insert(code, for: digest.bytes, at: code.terms.began, in: transaction)
        }
    }

    package func consumeCode(
        named digest: TokenDigest, at now: Timestamp, if judge: @Sendable (AuthorizationCode) -> Bool
    ) async throws(StoreError) -> AuthorizationCode.Consumption? {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.codes.change(digest.bytes, in: transaction) {
                AuthorizationCode.consume(&$0, at: now, if: judge)
            }
        }
    }
}
