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
///     secret == Secret(utf8: "battery staple")        // false, after the same work as true
public final class Secret: @unchecked Sendable {
    // Never written after the initialiser, which is why sharing it is safe.
    private let storage: UnsafeMutableRawBufferPointer

    /// Copies `bytes`. The caller's copy is the caller's to wipe: prefer the initialiser that fills in place.
    public init(_ bytes: some Collection<UInt8>) {
        storage = .allocate(byteCount: bytes.count, alignment: 16)
        storage.copyBytes(from: bytes)
    }

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

    /// A fresh random secret.
    public convenience init(randomByteCount count: Int, from random: some RandomSource) {
        self.init(byteCount: count) { random.fill($0) }
    }

    deinit {
        wipe(storage)
        storage.deallocate()
    }

    public var count: Int { storage.count }

    /// Lends the bytes for the length of `body`. They must not be kept.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage))
    }
}

extension Secret: Equatable {
    public static func == (left: Secret, right: Secret) -> Bool {
        constantTimeEquals(UnsafeRawBufferPointer(left.storage), UnsafeRawBufferPointer(right.storage))
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Overwrites the bytes in a way that the optimiser may not remove.
public func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return }
    #if canImport(Darwin)
    memset_s(base, bytes.count, 0, bytes.count)
    #else
    explicit_bzero(base, bytes.count)
    #endif
}
