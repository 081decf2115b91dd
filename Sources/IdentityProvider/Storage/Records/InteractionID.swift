import Primitives

/// Names an interaction. No secret: it stands in the addresses of pages, and is worth nothing without the cookie of the
/// browser that the interaction belongs to.
package struct InteractionID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Fresh and unguessable: 128 bits.
    package init(from random: any RandomSource) {
        text = random.identifier()
    }

    package static func == (left: Self, right: Self) -> Bool { sameText(left.text, right.text) }

    package var description: String { text }
}
