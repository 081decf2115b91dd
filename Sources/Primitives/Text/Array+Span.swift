#if canImport(Darwin)
extension Array where Element == UInt8 {
    /// What the standard library of macOS 26 and iOS 26 has: goes, with its setting in the manifest, once those are the first that
    /// are wanted. Bytes are never those of an `NSArray`, so they stand where they stand for as long as the array does.
    package var span: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            let bytes = withUnsafeBufferPointer { $0 }
            return _overrideLifetime(Span(_unsafeElements: bytes), borrowing: self)
        }
    }
}
#endif
