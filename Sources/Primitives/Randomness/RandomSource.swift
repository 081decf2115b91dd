#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where unpredictable bytes come from. Handed in, so that a test can repeat itself.
///
///     struct Zeros: RandomSource {
///         func fill(_ buffer: UnsafeMutableRawBufferPointer) { buffer.initializeMemory(as: UInt8.self, repeating: 0) }
///     }
public protocol RandomSource: Sendable {
    /// Writes every byte of the buffer. Called from any thread.
    func fill(_ buffer: UnsafeMutableRawBufferPointer)
}

extension RandomSource {
    /// `count` fresh random bytes.
    package func bytes(_ count: Int) -> [UInt8] {
        [UInt8](byteCount: count) { fill(UnsafeMutableRawBufferPointer($0)) }
    }

    /// A fresh identifier: `count` random bytes (128 bits unless told otherwise) in Base64URL.
    package func identifier(byteCount count: Int = 16) -> String {
        withBytes(count) { Base64URL.encode($0) }
    }

    /// Appends such an identifier.
    package func appendIdentifier(byteCount count: Int = 16, to output: inout [UInt8]) {
        withBytes(count) { Base64URL.append($0, to: &output) }
    }

    /// Lends random bytes, which are wiped afterwards.
    ///
    /// Becomes part of its callers: by itself it would look up at run time what types it has to do with.
    @inline(__always)
    private func withBytes<Result>(_ count: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { bytes in
            fill(bytes)
            defer { wipe(bytes) }
            return bytes.withMemoryRebound(to: UInt8.self) { body($0.span) }
        }
    }
}

/// The random source of the operating system.
///
/// Small amounts come out of a pool that is filled by one call for many of them, since an answer with tokens in it needs
/// half a dozen. What has been handed out is wiped, so that nobody who reads the memory later learns what was given. The
/// pool is the process's own: a program that forks and goes on in both would give the same bytes twice, which none of ours
/// does.
///
///     let random: any RandomSource = SystemRandom()
public struct SystemRandom: RandomSource {
    private let pool: RandomPool

    /// All of them draw from the same pool.
    public init() { self.init(pool: .shared) }

    package init(pool: RandomPool) { self.pool = pool }

    /// Traps where the system has no random source: nobody is to go on without one.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        guard buffer.count > RandomPool.largestShare else { return pool.fill(buffer) }
        Self.fillDirectly(buffer)
    }

    /// From the system itself.
    static func fillDirectly(_ buffer: UnsafeMutableRawBufferPointer) {
        #if canImport(Darwin)
        // The generator of the system, which never fails. `getentropy` is none of the public API of iOS.
        if let start = buffer.baseAddress { arc4random_buf(start, buffer.count) }
        #else
        // One call takes up to 256 bytes, and is never cut short.
        for start in stride(from: 0, to: buffer.count, by: 256) {
            let count = min(256, buffer.count - start)
            let status = getentropy(buffer.baseAddress! + start, count)
            precondition(status == 0, "the system has no random source")
        }
        #endif
    }
}
