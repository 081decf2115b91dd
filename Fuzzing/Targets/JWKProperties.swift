import Crypto
import JOSE
import Primitives

/// A key or a set that is read is written and reads back the same, and its public part holds nothing private.
enum JWKProperties {
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    static func check(_ input: Span<UInt8>) {
        if let key = try? JWK(parsing: input, allowing: .shortRSAKeys) { check(key) }
        guard let set = try? JWKSet(parsing: input, allowing: .shortRSAKeys) else { return }
        let again = try? JWKSet(json: set.json(.includingPrivate), allowing: .shortRSAKeys)
        require(again?.keys == set.keys, "a written set reads back the same")
        require(again?.skipped.isEmpty == true, "no key of a written set is skipped")
        for key in set.keys.prefix(4) { check(key) }
    }

    private static func check(_ key: JWK) {
        guard let json = key.json(.includingPrivate) else { return require(false, "every key is written whole") }
        guard let again = try? JWK(parsing: json.text(), allowing: .shortRSAKeys) else {
            return require(false, "a written key is read")
        }
        require(again == key, "a written key reads back the same")
        require(again.json(.includingPrivate) == json, "a key is written the same again")
        require(again.thumbprint() == key.thumbprint(), "a key keeps its thumbprint")
        checkPublicPart(of: key)
    }

    private static func checkPublicPart(of key: JWK) {
        guard let published = key.json(.publicOnly) else {
            return require(key.keyType == .oct, "only a secret has no public part")
        }
        for name in privateMembers { require(published[name] == nil, "a public key has no private member") }
        guard let again = try? JWK(json: published, allowing: .shortRSAKeys) else {
            return require(false, "a published key is read")
        }
        require(!again.isPrivate, "a published key is public")
        require(again.thumbprint() == key.thumbprint(), "both halves have one thumbprint")
    }
}
