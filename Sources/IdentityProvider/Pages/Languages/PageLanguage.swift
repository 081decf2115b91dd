/// A language that the pages are written in.
package enum PageLanguage: Hashable, Sendable, CaseIterable {
    case english, korean, japanese

    /// As BCP 47 names it.
    package var tag: String {
        switch self {
        case .english: "en"
        case .korean: "ko"
        case .japanese: "ja"
        }
    }

    package var texts: PageTexts {
        switch self {
        case .english: .english
        case .korean: .korean
        case .japanese: .japanese
        }
    }
}
