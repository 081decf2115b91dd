/// For which refresh token a credential came, and at which attempt.
///
/// A server may answer the same token twice with two successors, and take the first for dead as soon as it has given the second. What
/// tells them apart is which of them was asked for later, and never which of them is written later.
package struct Presentation: Hashable, Sendable {
    /// Of the credential whose refresh token was presented.
    package let generation: UInt64
    /// As the journal counts them.
    package let attempt: Int

    package init(of generation: UInt64, attempt: Int) {
        self.generation = generation
        self.attempt = attempt
    }
}
