#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// Signs several digests at once with one key of P-256, each in little more than half the time that it takes alone.
///
/// Each signature has a secret number of its own, the nonce, and needs its inverse. Here the nonces of all are multiplied,
/// the product is inverted, and two multiplications take each inverse out of that (Montgomery's trick). The multiples of the
/// base point share an inversion likewise. All else is what FIPS 186-5 section 6.4.1 says, and nobody can tell such a
/// signature from one that was made alone.
///
/// The arithmetic is OpenSSL's. What it does with a secret number takes the same time for every number, but for one in 2⁶⁴ that
/// is a word shorter: the multiple of the base point, the product and the sum modulo the order, the power. A division is none
/// of these.
package final class P256Batch: Sendable {
    /// The digests that are signed, those of SHA-256, and each of the two numbers of a signature.
    package static let numberByteCount = 32
    package static let signatureByteCount = 2 * numberByteCount

    private let nonces: P256Nonces
    /// In Montgomery's form. Read only after the initialiser.
    private nonisolated(unsafe) let scalar = BigNumber()

    /// `nil` for a key of another kind.
    package init?(_ key: PrivateKey) throws(CryptoError) {
        guard let components = key.ecComponents, components.publicComponents.curve == .p256 else { return nil }
        nonces = P256Nonces(scalar: components.scalar)
        let plain = BigNumber(components.scalar)
        let scratch = allocated(BN_CTX_secure_new())
        defer { BN_CTX_free(scratch) }
        guard BN_to_montgomery(scalar.pointer, plain.pointer, P256Arithmetic.shared.montgomery, scratch) == 1 else {
            throw .library("preparing batches of signatures")
        }
    }

    /// Writes r and s of each digest, one behind the other (RFC 7518 section 3.4). `false` if OpenSSL fails, and then there is
    /// none of them.
    package func sign(_ digests: UnsafeRawBufferPointer, into signatures: UnsafeMutableRawBufferPointer) -> Bool {
        sign(digests, with: nonces, into: signatures)
    }

    /// As ``sign(_:into:)`` with nonces from elsewhere, for whom signatures are known beforehand. Whoever sees two that were
    /// made with one nonce has the key.
    package func sign(
        _ digests: UnsafeRawBufferPointer, with nonces: some P256NonceSource,
        into signatures: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let count = digests.count / Self.numberByteCount
        precondition(digests.count == count * Self.numberByteCount, "each digest is one of SHA-256")
        precondition(signatures.count == count * Self.signatureByteCount, "room for each signature")
        let work = P256Workspace.take()
        defer { work.giveBack() }
        var first = 0
        while first < count {
            let end = min(first + P256Workspace.capacity, count)
            let some = digests[(first * Self.numberByteCount)..<(end * Self.numberByteCount)]
            let places = signatures[(first * Self.signatureByteCount)..<(end * Self.signatureByteCount)]
            guard
                work.sign(
                    UnsafeRawBufferPointer(rebasing: some), by: scalar, with: nonces,
                    into: UnsafeMutableRawBufferPointer(rebasing: places))
            else {
                wipe(signatures)
                return false
            }
            first = end
        }
        return true
    }
}
#endif
