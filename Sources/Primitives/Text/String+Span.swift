extension String {
    /// Lends the bytes of the text for the length of `body`.
    package func withUTF8Span<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if canImport(Darwin)
        // `utf8.span` is of macOS 26 and iOS 26.
        try body(Array(utf8).span)
        #else
        try body(utf8.span)
        #endif
    }
}
