import Primitives

/// How many seconds ago the user may have proved who he is (OpenID Connect Core section 3.1.2.1).
public struct MaxAge: Hashable, Sendable {
    public let seconds: Int64

    /// Decimal digits and nothing else. Whatever is longer than ``longest`` means the same as that.
    package init(parsing text: String) throws(OAuthError) {
        guard (1...Self.maximumDigitCount).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit),
            let number = Int64(text)
        else { throw OAuthError(.invalidRequest, "max_age is a number of seconds in decimal digits") }
        self.init(seconds: number)
    }

    /// Clamped to zero and ``longest``.
    public init(seconds: Int64) { self.seconds = min(max(seconds, 0), Self.longest) }

    /// In seconds: 68 years, so that adding it to any time stays within bounds.
    public static let longest = Int64(Int32.max)
    private static let maximumDigitCount = 18

    /// Whether a login is too old by now.
    public func isExceeded(by elapsedSeconds: Int64) -> Bool { elapsedSeconds > seconds }

    /// OpenID Connect Core section 15.1: zero is the same as `prompt=login`, so that whoever has just logged in is not
    /// asked again.
    public var asksForLogin: Bool { seconds == 0 }
}
