import HTTPMessages
import Primitives

/// The challenges of `WWW-Authenticate` (RFC 9110 section 11.6.1), as far as a client asks them: their schemes and their
/// parameters.
package enum Challenges {
    /// One way to authenticate that the server offers.
    package struct Challenge: Hashable, Sendable {
        package let scheme: String
        fileprivate var parameters: [(name: String, value: String)] = []

        fileprivate init(scheme: String) { self.scheme = scheme }

        /// Schemes have no case (RFC 9110 section 11.1).
        package func isOf(scheme name: String) -> Bool { sameText(scheme.lowercased(), name.lowercased()) }

        /// Names of parameters have no case (section 11.2). `nil` also where it is said twice.
        package subscript(name: String) -> String? {
            let found = parameters.filter { sameText($0.name.lowercased(), name.lowercased()) }
            return found.count == 1 ? found[0].value : nil
        }

        package static func == (left: Self, right: Self) -> Bool {
            left.scheme == right.scheme && left.parameters.elementsEqual(right.parameters, by: ==)
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(scheme) }
    }

    /// What is longer is not read.
    static let maximumByteCount = 8192

    /// Reads one field value. What cannot be understood ends the reading; the challenges before it count.
    package static func read(_ value: String) -> [Challenge] {
        guard value.utf8.count <= maximumByteCount else { return [] }
        var challenges: [Challenge] = []
        var rest = value.utf8[...]
        while true {
            rest = rest.drop { isSpace($0) || $0 == UInt8(ascii: ",") }
            guard let word = token(&rest) else { return challenges }
            let afterWord = rest
            rest = rest.drop(while: isSpace)
            if rest.first == UInt8(ascii: "="), !challenges.isEmpty {
                rest = rest.dropFirst().drop(while: isSpace)
                guard let value = self.value(&rest) else { return challenges }
                challenges[challenges.count - 1].parameters.append((word, value))
            } else {
                // A scheme stands before a space, a comma or the end.
                guard afterWord.isEmpty || afterWord.first == 0x20 || afterWord.first == UInt8(ascii: ",") else {
                    return challenges
                }
                challenges.append(Challenge(scheme: word))
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func token(_ rest: inout Substring.UTF8View) -> String? {
        let word = rest.prefix(while: \.isTokenByte)
        guard !word.isEmpty else { return nil }
        rest = rest[word.endIndex...]
        return String(Substring(word))
    }

    /// A token, or a text in quotes in which a backslash goes before whatever stands for itself (section 5.6.4).
    private static func value(_ rest: inout Substring.UTF8View) -> String? {
        guard rest.first == UInt8(ascii: "\"") else { return token(&rest) }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        return nil
    }
}
