import Crypto
import Primitives

extension JWK {
    /// The thumbprint: a name for the key that follows from the key alone, the same for both halves (RFC 7638; RFC 8037
    /// section 2 for Ed25519), in Base64URL.
    package func thumbprint(_ hash: HashFunction = .sha256) -> String {
        // RFC 7638 section 3: only the required members, ordered by name, without white space.
        var required = publicMembers
        if case .symmetric(let secret) = material { required.append(("k", secret.base64URL)) }
        required.append(("kty", keyType.rawValue))
        required.sort { $0.name < $1.name }
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in required {
            writer.name(name)
            writer.string(value)
        }
        writer.endObject()
        return Base64URL.encode(hash.digest(writer.bytes.span))
    }
}
