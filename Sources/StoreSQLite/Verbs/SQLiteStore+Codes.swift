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
            try tables.codes.change(digest.bytes, in: transaction) { code -> AuthorizationCode.Consumption? in
                guard let found = code else { return .unknown }
                guard judge(found) else { return nil }
                if found.isConsumed { return .replayed(found) }
                guard now < found.expires else { return .expired }
                code?.isConsumed = true
                return .consumed(found)
            }
        }
    }
}
