import IdentityProvider
import Primitives

/// One member of the configuration by itself: `access_tokens.lifetime=1s`, a dot before a member of a member.
///
/// A text that is no JSON is meant as it stands: few write `'"okta"'` for a name.
struct SettingText: Sendable {
    let names: [String]
    let value: JSON

    /// A setting goes as deep as a file may.
    private static let limits = ConfigurationReader.limits

    /// `nil` unless every name is there, and could be one. What is no name is repeated nowhere: it may be a piece of a value
    /// that had white space in it, or a value that was given without a name.
    init?(name: String, value text: String) {
        names = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= Self.limits.depth, names.allSatisfy(Self.isName) else { return nil }
        value = (try? JSON(parsing: Array(text.utf8).span, limits: Self.limits)) ?? .string(text)
    }

    /// `NAME=VALUE`.
    init?(_ text: String) {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        self.init(name: String(text[..<sign]), value: String(text[text.index(after: sign)...]))
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
    }

    /// A document that says this and nothing else.
    var document: JSONObject { put(into: [:]) }

    /// Puts it into a document, in the place of what is there.
    func put(into document: JSONObject) -> JSONObject { Self.put(value, at: names[...], into: document) }

    private static func put(_ value: JSON, at names: ArraySlice<String>, into object: JSONObject) -> JSONObject {
        guard let name = names.first else { return object }
        let rest = names.dropFirst()
        var object = object
        object[name] = rest.isEmpty ? value : .object(put(value, at: rest, into: object[name]?.object ?? [:]))
        return object
    }
}

extension ValueReader where Value == SettingText {
    /// What follows the name may be a secret, and is not repeated.
    static let setting = ValueReader(
        "NAME=VALUE", expecting: "the name of a member and its value, such as access_tokens.lifetime=1s",
        isSecret: true, read: SettingText.init)
}
