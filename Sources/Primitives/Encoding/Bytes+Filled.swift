extension [UInt8] {
    /// Bytes that `fill` writes where they stand, all of them.
    ///
    ///     let code = [UInt8](byteCount: 32) { authenticate(message, into: $0) }
    ///
    /// As the standard library's `init(unsafeUninitializedCapacity:initializingWith:)`, which finds out at run time, each time
    /// it is called, what an array of bytes is.
    @inlinable
    package init<Failure: Error>(
        byteCount: Int, filledBy fill: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        self = []
        try append(addingCapacity: byteCount) { room throws(Failure) in
            try room.withUnsafeMutableBufferPointer { free, initialized throws(Failure) in
                try fill(UnsafeMutableBufferPointer(rebasing: free[..<byteCount]))
                initialized = byteCount
            }
        }
    }
}
