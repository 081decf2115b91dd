import Primitives

/// What a client keeps until it redeems its code, and proves then that it is the one who asked for it (RFC 7636
/// section 4.1).
package struct CodeVerifier: Sendable {
    package let secret: Secret

    /// Nil unless the text is of the grammar: 43 to 128 unreserved characters.
    package init?(_ text: String) {
        guard CodeChallenge.isWellFormed(text) else { return nil }
        secret = Secret(utf8: text)
    }
}

extension CodeVerifier: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
