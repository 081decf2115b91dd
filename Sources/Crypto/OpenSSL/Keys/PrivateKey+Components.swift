#if !canImport(CryptoKit)
import COpenSSL
import Primitives

extension PrivateKey {
    /// `nil` for a key of another kind.
    package var rsaComponents: RSAPrivateComponents? {
        guard let publicComponents = publicKey.rsaComponents, let privateExponent = try? secret("d"),
            let prime1 = try? secret("rsa-factor1"), let prime2 = try? secret("rsa-factor2"),
            let exponent1 = try? secret("rsa-exponent1"), let exponent2 = try? secret("rsa-exponent2"),
            let coefficient = try? secret("rsa-coefficient1")
        else { return nil }
        return RSAPrivateComponents(
            publicComponents: publicComponents, privateExponent: privateExponent,
            factors: .init(
                prime1: prime1, prime2: prime2, exponent1: exponent1, exponent2: exponent2, coefficient: coefficient))
    }

    /// `nil` for a key of another kind.
    package var ecComponents: ECPrivateComponents? {
        guard let publicComponents = publicKey.ecComponents,
            let scalar = try? secret("priv", length: publicComponents.curve.fieldByteCount)
        else { return nil }
        return ECPrivateComponents(publicComponents: publicComponents, scalar: scalar)
    }

    /// `nil` for a key of another kind.
    package var ed25519Seed: Secret? {
        guard case .ed25519 = kind else { return nil }
        var length = Ed25519.keyByteCount
        var status: Int32 = 0
        let seed = Secret(byteCount: length) { seed in
            let start = seed.baseAddress?.assumingMemoryBound(to: UInt8.self)
            status = EVP_PKEY_get_raw_private_key(handle.pointer, start, &length)
        }
        return status == 1 && length == Ed25519.keyByteCount ? seed : nil
    }

    private func secret(_ name: String, length: Int? = nil) throws(CryptoError) -> Secret {
        try handle.number(name).secret(length: length)
    }
}
#endif
