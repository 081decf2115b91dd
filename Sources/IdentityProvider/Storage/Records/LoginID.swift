import Primitives

/// Names a login: `sid` of the tokens (OpenID Connect Front-Channel Logout section 3). No secret.
package struct LoginID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool { sameText(left.text, right.text) }

    package var description: String { text }
}
