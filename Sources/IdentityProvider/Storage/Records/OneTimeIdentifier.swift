import Primitives

/// Names something that may be used once: what sort of thing, whose, and what it is called.
package struct OneTimeIdentifier: Hashable, Sendable {
    package let kind: Kind
    /// The client or the key that chose the name: another's same name is another thing.
    package let owner: String
    package let name: String

    /// What sort of thing may be used once.
    package enum Kind: String, Hashable, Sendable {
        /// The `jti` of a client's assertion (RFC 7523 section 3).
        case assertion
        /// The `jti` of a proof (RFC 9449 section 11.1).
        case proof
        /// The `jti` of a request object.
        case requestObject = "request_object"
    }

    package init(_ kind: Kind, of owner: String, named name: String) {
        self.kind = kind
        self.owner = owner
        self.name = name
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && sameText(left.owner, right.owner) && sameText(left.name, right.name)
    }
}
