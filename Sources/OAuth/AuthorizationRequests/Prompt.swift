/// What the user must be asked, whatever is known already (OpenID Connect Core section 3.1.2.1).
public struct Prompt: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue & 15 }

    /// Show nothing; answer with an error where something would have to be shown.
    public static let none = Self(rawValue: 1)
    public static let login = Self(rawValue: 2)
    public static let consent = Self(rawValue: 4)
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
