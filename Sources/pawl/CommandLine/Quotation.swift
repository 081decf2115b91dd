/// A word of the command line as an error may repeat it.
///
/// Errors end up in logs and in bug reports. What might be a token, or is too long to be a mistyped word, is described
/// and not repeated.
enum Quotation {
    private static let longestWord = 64

    static func of(_ word: String) -> String {
        guard word.utf8.count <= longestWord, !mayHoldToken(word) else {
            return "(\(word.utf8.count) bytes that may be a token, so they are not repeated here)"
        }
        return "'\(word)'"
    }

    /// Whether a JOSE header stands somewhere in the text: Base64URL of a JSON object begins with `ey`, and parts are
    /// told apart by dots.
    static func mayHoldToken(_ text: String) -> Bool {
        guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
        let head = text.utf8[..<dot].reversed().prefix { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        let text = String(decoding: head.reversed(), as: UTF8.self)
        return text.utf8.count >= 10 && text.contains("ey")
    }
}
