import Primitives

/// How many seconds ago the user may have proved who he is (OpenID Connect Core section 3.1.2.1).
///
///     let age = MaxAge(seconds: 3600)                 // zero asks for a login in any case
public struct MaxAge: Hashable, Sendable {
    /// From 0 to 2 147 483 647.
    public let seconds: Int64

    /// Decimal digits and nothing else. Whatever is longer than `longest` means the same as that.
    package init(parsing text: String) throws(OAuthError) {
        guard (1...Self.maximumDigitCount).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit),
            let number = Int64(text)
        else { throw OAuthError(.invalidRequest, "max_age is a number of seconds in decimal digits") }
        self.init(seconds: number)
    }

    /// What is negative counts as zero, and what is longer than 68 years as that.
    public init(seconds: Int64) { self.seconds = min(max(seconds, 0), Self.longest) }

    /// In seconds: 68 years, so that adding it to any time stays within bounds.
    package static let longest = Int64(Int32.max)
    private static let maximumDigitCount = 18

    /// Whether a login is too old by now, by however little.
    package func isExceeded(by elapsed: Duration) -> Bool { elapsed > .seconds(seconds) }

    /// OpenID Connect Core section 15.1: zero is the same as `prompt=login`, so that whoever has just logged in is not
    /// asked again.
    package var asksForLogin: Bool { seconds == 0 }
}
