#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// Where the secret numbers of signatures come from.
package protocol P256NonceSource {
    /// Fills 64 bytes for each digest, which stand for their remainder by the order; `false` if it cannot.
    func fill(_ nonces: UnsafeMutableRawBufferPointer, for digests: UnsafeRawBufferPointer) -> Bool
}

/// Nonces that nobody can guess as long as either the random numbers or the key cannot be guessed, and that differ for
/// different digests even where random numbers come again: each is the hash of the key, of fresh random bytes and of the
/// digest. OpenSSL hashes the same three things, to 256 bits, and takes others where those are no number below the order; of 512
/// bits, the remainder is even enough.
package struct P256Nonces: P256NonceSource {
    package static let byteCount = HashFunction.sha512.byteCount
    private static let length = P256Batch.numberByteCount

    private let scalar: Secret

    package init(scalar: Secret) {
        precondition(scalar.count == Self.length, "a scalar of P-256")
        self.scalar = scalar
    }

    package func fill(_ nonces: UnsafeMutableRawBufferPointer, for digests: UnsafeRawBufferPointer) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: digests.count, alignment: 1) { random in
            defer { wipe(random) }
            let start = random.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard RAND_priv_bytes(start, Int32(random.count)) == 1 else { return false }
            derive(nonces, from: UnsafeRawBufferPointer(random), for: digests)
            return true
        }
    }

    /// As many random bytes as there are of each digest.
    package func derive(
        _ nonces: UnsafeMutableRawBufferPointer, from random: UnsafeRawBufferPointer,
        for digests: UnsafeRawBufferPointer
    ) {
        withUnsafeTemporaryAllocation(byteCount: 3 * Self.length, alignment: 1) { input in
            defer { wipe(input) }
            func part(_ number: Int) -> UnsafeMutableRawBufferPointer {
                UnsafeMutableRawBufferPointer(rebasing: input[(number * Self.length)..<((number + 1) * Self.length)])
            }
            scalar.withBytes { part(0).copyMemory(from: $0) }
            HashFunction.sha512.implementation.digestSecrets { digest in
                for index in 0..<(digests.count / Self.length) {
                    let place = (index * Self.length)..<((index + 1) * Self.length)
                    part(1).copyMemory(from: UnsafeRawBufferPointer(rebasing: random[place]))
                    part(2).copyMemory(from: UnsafeRawBufferPointer(rebasing: digests[place]))
                    let output = nonces.baseAddress.unsafelyUnwrapped + index * Self.byteCount
                    digest(UnsafeRawBufferPointer(input), output.assumingMemoryBound(to: UInt8.self))
                }
            }
        }
    }
}
#endif
