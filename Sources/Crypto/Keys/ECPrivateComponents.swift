import Primitives

/// A private scalar, exactly as long as the field, with its public point (RFC 7518 section 6.2.2).
package struct ECPrivateComponents: Sendable, Equatable {
    package var publicComponents: ECPublicComponents
    /// `d`
    package var scalar: Secret

    package init(publicComponents: ECPublicComponents, scalar: Secret) {
        self.publicComponents = publicComponents
        self.scalar = scalar
    }
}
