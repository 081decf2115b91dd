import Primitives

/// Names a login: `sid` of the tokens (OpenID Connect Front-Channel Logout section 3). No secret.
package struct LoginID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Fresh. It does not begin with a dash: people copy it into command lines.
    package init(from random: any RandomSource) {
        var text = random.identifier()
        while text.hasPrefix("-") { text = random.identifier() }
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool { sameText(left.text, right.text) }

    package var description: String { text }
}
