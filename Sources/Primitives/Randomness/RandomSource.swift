#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where unpredictable bytes come from. Handed in, so that a test can repeat itself.
package protocol RandomSource: Sendable {
    func fill(_ buffer: UnsafeMutableRawBufferPointer)
}

extension RandomSource {
    /// `count` fresh random bytes.
    package func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            fill(UnsafeMutableRawBufferPointer(buffer))
            initialized = count
        }
    }

    /// A fresh identifier: `count` random bytes (128 bits unless told otherwise) in Base64URL.
    package func identifier(byteCount count: Int = 16) -> String {
        Base64URL.encode(bytes(count))
    }
}

/// The random source of the operating system.
package struct SystemRandom: RandomSource {
    package init() {}

    package func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        // One call takes up to 256 bytes, and is never cut short.
        for start in stride(from: 0, to: buffer.count, by: 256) {
            let count = min(256, buffer.count - start)
            let status = getentropy(buffer.baseAddress! + start, count)
            precondition(status == 0, "the system has no random source")
        }
    }
}
