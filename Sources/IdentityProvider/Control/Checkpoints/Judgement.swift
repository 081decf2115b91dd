import OAuth

/// What became of a refresh token that was presented. No secret is in it: a family and a number are no token.
package struct Judgement: Sendable, Hashable {
    package let family: FamilyID
    package let clientID: String
    /// The number that was presented.
    package let node: UInt32
    /// Whether the client got something for it.
    package let isGranted: Bool
    /// The number of the refresh token that was given for it, be it the same; `nil`: none was.
    package let successor: UInt32?
    /// Why it was refused, or accepted although it had been replaced.
    package let cause: String?

    package init(
        family: FamilyID, clientID: String, node: UInt32, isGranted: Bool, successor: UInt32?, cause: String?
    ) {
        self.family = family
        self.clientID = clientID
        self.node = node
        self.isGranted = isGranted
        self.successor = successor
        self.cause = cause
    }
}
