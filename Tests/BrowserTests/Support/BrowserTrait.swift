import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips, and says why, where there is no browser; unless one is required.
    static var needsBrowser: Self { .enabled(if: Browser.isExpected, Comment(rawValue: Browser.missing)) }
}

/// A language and a colour scheme, as a user's system has them.
struct Reader: Sendable, CustomStringConvertible {
    let tag: String
    let scheme: BrowserOptions.Scheme

    var description: String { "\(tag)-\(scheme)" }

    /// What Chromium in that language says in `Accept-Language`.
    var languages: String {
        switch tag {
        case "ko": "ko-KR,ko,en-US,en"
        case "ja": "ja,en-US,en"
        default: "en-GB,en"
        }
    }

    static let all = ["en", "ko", "ja"].flatMap { tag in
        BrowserOptions.Scheme.allCases.map { Reader(tag: tag, scheme: $0) }
    }
}
