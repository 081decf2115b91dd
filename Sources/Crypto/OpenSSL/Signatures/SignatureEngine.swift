#if !canImport(CryptoKit)
/// The two ways to a signature: over a digest, or over the whole message.
enum SignatureEngine: Sendable {
    case digest(HashFunction, KeyContexts)
    case message(MessageContexts)

    /// Throws when the scheme is for another kind of key, or the key too short for it.
    init(_ key: KeyHandle, kind: KeyKind, scheme: SignatureScheme, purpose: KeyContexts.Purpose) throws(CryptoError) {
        guard scheme.fits(kind) else { throw .schemeDoesNotFitKey(scheme: scheme, key: kind) }
        switch scheme {
        case .rsaPSS(let hash):
            // RFC 8017 section 9.1.1 step 3: emLen >= hLen + sLen + 2, of a modulus of which one bit is not used.
            guard case .rsa(let bits) = kind, (bits - 1 + 7) / 8 >= 2 * hash.byteCount + 2 else {
                throw .keyTooShortForScheme(scheme)
            }
            self = .digest(hash, try KeyContexts(key, scheme: scheme, purpose: purpose))
        case .rsaPKCS1(let hash), .ecdsa(_, let hash):
            self = .digest(hash, try KeyContexts(key, scheme: scheme, purpose: purpose))
        case .ed25519:
            self = .message(try MessageContexts(key, purpose: purpose))
        }
    }
}

extension KeyKind {
    /// The length of a signature: fixed for each key.
    var signatureByteCount: Int {
        switch self {
        case .rsa(let bits): (bits + 7) / 8
        case .ec(let curve): 2 * curve.fieldByteCount
        case .ed25519: Ed25519.signatureByteCount
        }
    }

    /// Room for what OpenSSL writes for a signature.
    var rawSignatureCapacity: Int {
        switch self {
        case .rsa, .ed25519: signatureByteCount
        case .ec(let curve): ECDSASignature.maximumDERByteCount(curve)
        }
    }
}
#endif
