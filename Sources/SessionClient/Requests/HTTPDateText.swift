import Cookies
import Primitives

/// Moments as HTTP writes them.
enum HTTPDateText {
    /// Longer than any of the three formats.
    private static let maximumByteCount = 40

    /// RFC 9110 section 5.6.7: a recipient MUST take all three formats, two of which are obsolete. All are in UTC; what names
    /// another zone is none of them.
    static func read(_ text: String) -> Timestamp? {
        guard text.utf8.count <= maximumByteCount else { return nil }
        let isUTC = text.utf8.suffix(4).elementsEqual(" GMT".utf8)
        // That of asctime names no zone and ends with the year.
        guard isUTC || text.utf8.suffix(4).allSatisfy(\.isASCIIDigit) else { return nil }
        return CookieDate.read(text[...])
    }
}
