/// What the user must be asked, whatever is known already (OpenID Connect Core section 3.1.2.1).
///
///     let prompt: Prompt = [.login, .consent]
public struct Prompt: OptionSet, Hashable, Sendable {
    /// A bit for each value.
    public let rawValue: UInt8

    /// Bits that stand for nothing are dropped.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 15 }

    /// Show nothing; answer with an error where something would have to be shown.
    public static let none = Self(rawValue: 1)
    /// Prove once more who you are, although you are logged in.
    public static let login = Self(rawValue: 2)
    /// Agree once more, although you have agreed.
    public static let consent = Self(rawValue: 4)
    /// Say which of your accounts it is to be.
    public static let selectAccount = Self(rawValue: 8)

    package static let names: [(prompt: Self, name: String)] = [
        (.none, "none"), (.login, "login"), (.consent, "consent"), (.selectAccount, "select_account"),
    ]

    /// OpenID Connect Core section 3.1.2.1: `none` with any other value is an error.
    package init(parsing text: String) throws(OAuthError) {
        self = []
        for word in try SpaceSeparatedList(parsing: text, of: "prompt").values {
            guard let known = Self.names.first(where: { $0.name.utf8.elementsEqual(word.utf8) }) else {
                throw OAuthError(.invalidRequest, "prompt is none, or any of login, consent and select_account")
            }
            insert(known.prompt)
        }
        guard !contains(.none) || self == .none else {
            throw OAuthError(.invalidRequest, "prompt=none stands alone")
        }
    }
}
