extension String {
    /// `nil`: the bytes are not UTF-8.
    package init?(utf8 bytes: Span<UInt8>) {
        #if canImport(Darwin)
        // `UTF8Span` is of macOS 26 and iOS 26.
        guard let text = bytes.withUnsafeBufferPointer({ String(validating: $0, as: UTF8.self) }) else { return nil }
        self = text
        #else
        // In place of `String(validating:as:)`, which looks for the type of its parser anew each time.
        guard let bytes = try? UTF8Span(validating: bytes) else { return nil }
        self = String(copying: bytes)
        #endif
    }

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
