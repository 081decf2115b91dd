#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Bytes that must not leak: they print as `<redacted>`, compare in constant time and are wiped when freed.
///
/// The one copy lives here; whoever needs the bytes borrows them for the length of a closure.
///
///     let secret = Secret(utf8: "correct horse")
///     print(secret)                                   // <redacted>
///     let isSame = secret == Secret(utf8: "wrong horses!")        // false, after the same work as true
///     let key = Secret(randomByteCount: 32, from: SystemRandom())
///     try key.withBytes { bytes throws(KeyringError) in try keyring.save(bytes) }
public final class Secret: @unchecked Sendable {
    // Never written after the initialiser, which is why sharing it is safe.
    private let storage: UnsafeMutableRawBufferPointer

    /// Copies `bytes`. The caller's copy is the caller's to wipe: prefer the initialiser that fills in place.
    public init(_ bytes: some Collection<UInt8>) {
        storage = .allocate(byteCount: bytes.count, alignment: 16)
        storage.copyBytes(from: bytes)
    }

    /// For a password or a token that came as text. The text itself is not wiped.
    public convenience init(utf8 text: String) {
        self.init(text.utf8)
    }

    /// Lets `fill` write the bytes in place, so that no other copy ever exists.
    public init<Failure: Error>(
        byteCount: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        storage = .allocate(byteCount: byteCount, alignment: 16)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        try fill(storage)
    }

    /// A fresh random secret, such as a key.
    public convenience init(randomByteCount count: Int, from random: some RandomSource) {
        self.init(byteCount: count) { random.fill($0) }
    }

    deinit {
        wipe(storage)
        storage.deallocate()
    }

    /// How many bytes there are, which is no secret here.
    public var count: Int { storage.count }

    /// Lends the bytes for the length of `body`. They must not be kept.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage))
    }
}

extension Secret: Equatable {
    /// In constant time, for secrets of the same length.
    public static func == (left: Secret, right: Secret) -> Bool {
        constantTimeEquals(UnsafeRawBufferPointer(left.storage), UnsafeRawBufferPointer(right.storage))
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never shows the bytes.
    public var description: String { "<redacted>" }
    /// Never shows the bytes.
    public var debugDescription: String { "<redacted>" }
    /// Empty, so that `dump` does not show the bytes either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Overwrites the bytes in a way that the optimiser may not remove.
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return }
    #if canImport(Darwin)
    memset_s(base, bytes.count, 0, bytes.count)
    #else
    explicit_bzero(base, bytes.count)
    #endif
}
