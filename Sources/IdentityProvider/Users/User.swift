import Crypto
import OAuth
import Primitives

/// Somebody who can log in.
package final class User: Sendable {
    /// The subject of his tokens: never used for anybody else (OpenID Connect Core section 2).
    package let id: String
    package let username: String
    /// `nil`: any password will do, which is right only where nothing is at stake.
    package let password: SharedSecret?
    /// What is known of him, by the names of OpenID Connect Core section 5.1 and any others.
    package let claims: JSONObject
    /// The same without those of the protocol, which no user chooses, by the scopes that stand for them: found out once, and
    /// asked for with every token.
    let claimsByScope: [(scope: String, claims: JSONObject)]
    /// Those that no standard scope stands for, such as roles.
    let unscopedClaims: JSONObject

    /// - Parameter id: the username, unless told otherwise; or, where that is no ASCII text, a digest of it.
    package init(
        username: String, id: String? = nil, password: Secret? = nil, claims: JSONObject = [:]
    ) throws(ProviderConfigurationError) {
        let id = id ?? Self.subject(for: username)
        // OpenID Connect Core section 2: `sub` MUST NOT exceed 255 ASCII characters.
        guard !username.isEmpty, username.utf8.count <= Self.maximumNameByteCount else { throw .badUsername }
        guard !id.isEmpty, id.utf8.count <= Self.maximumNameByteCount, id.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
        else { throw .badSubject(user: username) }
        self.id = id
        self.username = username
        self.password = password.map(SharedSecret.init)
        self.claims = claims
        (claimsByScope, unscopedClaims) = Self.sorted(claims)
    }

    package static let maximumNameByteCount = 255

    private static func sorted(_ claims: JSONObject) -> ([(scope: String, claims: JSONObject)], JSONObject) {
        var byScope: [(scope: String, claims: JSONObject)] = []
        var unscoped = JSONObject()
        for (name, value) in claims where !ClaimRules.protectedClaims.contains(name) {
            guard let scope = StandardClaims.scope(of: name) else {
                unscoped[name] = value
                continue
            }
            let index = byScope.firstIndex { $0.scope == scope } ?? byScope.count
            if index == byScope.count { byScope.append((scope, [:])) }
            byScope[index].claims[name] = value
        }
        return (byScope, unscoped)
    }

    /// OpenID Connect Core section 2: at most 255 ASCII characters. A name that is no such text has a digest for it.
    private static func subject(for username: String) -> String {
        let isPlain = username.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        guard !isPlain else { return username }
        let digest = HashFunction.sha256.digest(Array(username.utf8).span)
        return "user-" + Base64URL.encode(Array(digest.prefix(16)))
    }
}
