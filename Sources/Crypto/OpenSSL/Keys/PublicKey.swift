#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// A public key that has passed every check: whoever holds one need not check it again.
package final class PublicKey: Sendable {
    package typealias Kind = KeyKind

    package let kind: KeyKind
    let handle: KeyHandle

    init(handle: KeyHandle, kind: KeyKind) {
        self.handle = handle
        self.kind = kind
    }

    /// Checks the size of the modulus and the exponent. Whether the modulus is the product of two primes nobody can
    /// tell from outside.
    package convenience init(
        rsa components: RSAPublicComponents, allowing allowances: KeyAllowances = []
    ) throws(CryptoError) {
        let kind = try components.requireValid(allowances)
        var builder = ParameterBuilder()
        builder.add("n", BigNumber(components.modulus))
        builder.add("e", BigNumber(components.exponent))
        self.init(handle: try builder.makeKey("RSA", selection: pawl_selection_public_key()), kind: kind)
    }

    /// Checks that the point is on the curve.
    package convenience init(ec components: ECPublicComponents) throws(CryptoError) {
        let point = try components.uncompressedPoint()
        try CurveGroup(components.curve).requireOnCurve(point)
        var builder = ParameterBuilder()
        builder.add("group", text: components.curve.groupName)
        builder.add("pub", octets: point)
        let handle = try builder.makeKey("EC", selection: pawl_selection_public_key())
        self.init(handle: handle, kind: .ec(components.curve))
    }

    /// The 32 bytes of RFC 8032 section 5.1.5.
    package convenience init(ed25519 bytes: [UInt8]) throws(CryptoError) {
        guard bytes.count == Ed25519.keyByteCount else {
            throw .wrongLength(
                part: "the public key", expectedBytes: Ed25519.keyByteCount, foundBytes: bytes.count)
        }
        guard !Ed25519.isOfSmallOrder(bytes) else { throw .smallOrderPoint }
        guard let key = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count) else {
            throw .library("reading an Ed25519 public key")
        }
        self.init(handle: KeyHandle(owning: key), kind: .ed25519)
    }

    /// `nil` for a key of another kind.
    package var rsaComponents: RSAPublicComponents? {
        guard case .rsa = kind, let modulus = try? handle.number("n"), let exponent = try? handle.number("e") else {
            return nil
        }
        return RSAPublicComponents(modulus: modulus.bytes(), exponent: exponent.bytes())
    }

    /// `nil` for a key of another kind.
    package var ecComponents: ECPublicComponents? {
        guard case .ec(let curve) = kind, let x = try? handle.number("qx"), let y = try? handle.number("qy") else {
            return nil
        }
        let length = curve.fieldByteCount
        return ECPublicComponents(curve: curve, x: x.bytes(length: length), y: y.bytes(length: length))
    }

    /// `nil` for a key of another kind.
    package var ed25519Bytes: [UInt8]? {
        guard case .ed25519 = kind else { return nil }
        return try? handle.octets("pub", maximumLength: Ed25519.keyByteCount)
    }
}

extension PublicKey: Equatable {
    package static func == (left: PublicKey, right: PublicKey) -> Bool {
        defer { ERR_clear_error() }
        return left === right || EVP_PKEY_eq(left.handle.pointer, right.handle.pointer) == 1
    }
}
#endif
