import Primitives

/// A hash function of the SHA-2 family (FIPS 180-4), as JSON Web Algorithms use them.
package enum HashFunction: Sendable, CaseIterable {
    case sha256, sha384, sha512

    /// The length of a digest.
    package var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The longest digest of them all.
    static let maximumByteCount = 64

    package func digest(_ message: Span<UInt8>) -> [UInt8] {
        [UInt8](byteCount: byteCount) { digest(message, into: UnsafeMutableRawBufferPointer($0)) }
    }

    /// Writes the digest where the caller has room for it.
    package func digest(_ message: Span<UInt8>, into output: UnsafeMutableRawBufferPointer) {
        precondition(output.count == byteCount, "room for one digest")
        message.withUnsafeBytes { message in
            output.withMemoryRebound(to: UInt8.self) { digest(message, into: $0.baseAddress.unsafelyUnwrapped) }
        }
    }
}
