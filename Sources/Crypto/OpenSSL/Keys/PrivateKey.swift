#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// A private key whose parts have been checked against each other.
package final class PrivateKey: Sendable {
    package typealias Kind = KeyKind

    package let kind: KeyKind
    /// The other half, which holds nothing secret.
    package let publicKey: PublicKey
    let handle: KeyHandle

    init(handle: KeyHandle, publicKey: PublicKey) {
        self.handle = handle
        self.publicKey = publicKey
        kind = publicKey.kind
    }

    /// A fresh key. RSA takes between a tenth of a second and several: not something for an event loop.
    package static func generate(
        _ kind: KeyKind, allowing allowances: KeyAllowances = []
    ) throws(CryptoError) -> PrivateKey {
        switch kind {
        case .rsa(let bits):
            try RSALimits.requireSize(bits: bits, allowances)
            let handle = try KeyHandle.generate("RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, Int32(bits)) }
            let components = RSAPublicComponents(
                modulus: try handle.number("n").bytes(), exponent: try handle.number("e").bytes())
            return PrivateKey(handle: handle, publicKey: try PublicKey(rsa: components, allowing: allowances))
        case .ec(let curve):
            let handle = try KeyHandle.generate("EC") { EVP_PKEY_CTX_set_group_name($0, "\(curve.groupName)") }
            let length = curve.fieldByteCount
            let components = ECPublicComponents(
                curve: curve, x: try handle.number("qx").bytes(length: length),
                y: try handle.number("qy").bytes(length: length))
            return PrivateKey(handle: handle, publicKey: try PublicKey(ec: components))
        case .ed25519:
            let handle = try KeyHandle.generate("ED25519") { _ in 1 }
            let bytes = try handle.octets("pub", maximumLength: Ed25519.keyByteCount)
            return PrivateKey(handle: handle, publicKey: try PublicKey(ed25519: bytes))
        }
    }

    package convenience init(
        rsa components: RSAPrivateComponents, allowing allowances: KeyAllowances = []
    ) throws(CryptoError) {
        let publicKey = try PublicKey(rsa: components.publicComponents, allowing: allowances)
        let numbers = try RSAPrivateNumbers(components)
        var builder = ParameterBuilder()
        builder.add("n", numbers.modulus)
        builder.add("e", numbers.publicExponent)
        builder.add("d", numbers.privateExponent)
        builder.add("rsa-factor1", numbers.prime1)
        builder.add("rsa-factor2", numbers.prime2)
        builder.add("rsa-exponent1", numbers.exponent1)
        builder.add("rsa-exponent2", numbers.exponent2)
        builder.add("rsa-coefficient1", numbers.coefficient)
        self.init(handle: try builder.makeKey("RSA", selection: pawl_selection_key_pair()), publicKey: publicKey)
    }

    /// The point must be the one that belongs to the scalar.
    package convenience init(ec components: ECPrivateComponents) throws(CryptoError) {
        let key = try PublicKey(ec: components.publicComponents)
        try self.init(curve: components.publicComponents.curve, scalar: components.scalar)
        guard key == publicKey else {
            throw .inconsistentKey("the public point does not belong to the private scalar")
        }
    }

    /// The public point is computed.
    package convenience init(curve: Curve, scalar: Secret) throws(CryptoError) {
        let point = try CurveGroup(curve).publicPoint(of: scalar)
        var builder = ParameterBuilder()
        builder.add("group", text: curve.groupName)
        builder.add("pub", octets: point)
        builder.add("priv", BigNumber(scalar), length: curve.fieldByteCount)
        let handle = try builder.makeKey("EC", selection: pawl_selection_key_pair())
        let components = try ECPublicComponents(curve: curve, uncompressedPoint: point)
        self.init(handle: handle, publicKey: try PublicKey(ec: components))
    }

    /// The seed of RFC 8032 section 5.1.5. The public key is computed; one that is given must be the same.
    package convenience init(ed25519Seed seed: Secret, publicKey expected: [UInt8]? = nil) throws(CryptoError) {
        guard seed.count == Ed25519.keyByteCount else {
            throw .wrongLength(part: "the seed", expectedBytes: Ed25519.keyByteCount, foundBytes: seed.count)
        }
        let key = seed.withBytes { seed in
            EVP_PKEY_new_raw_private_key_ex(
                nil, "ED25519", nil, seed.baseAddress?.assumingMemoryBound(to: UInt8.self), seed.count)
        }
        guard let key else { throw .library("reading an Ed25519 seed") }
        let handle = KeyHandle(owning: key)
        let bytes = try handle.octets("pub", maximumLength: Ed25519.keyByteCount)
        if let expected {
            guard expected.count == Ed25519.keyByteCount else {
                throw .wrongLength(
                    part: "the public key", expectedBytes: Ed25519.keyByteCount, foundBytes: expected.count)
            }
            guard expected == bytes else { throw .inconsistentKey("the public key does not belong to the seed") }
        }
        self.init(handle: handle, publicKey: try PublicKey(ed25519: bytes))
    }
}
#endif
