/// What is kept of a text from outside for whoever looks on: neither events nor barriers are a store for what others send.
enum KeptText {
    /// Unicode scalars; one character may have any number of them.
    static let maximumScalarCount = 256

    static func of(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumScalarCount)))
    }
}
