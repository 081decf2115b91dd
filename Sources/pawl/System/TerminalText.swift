import Primitives

/// Keeps what others wrote (tokens, file names) from steering the terminal.
package enum TerminalText {
    /// Characters that act on the display, all but the line feed, become visible escapes.
    package static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: mustBeEscaped) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if mustBeEscaped(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool { scalar != "\n" && scalar.actsOnDisplay }
}
