import Primitives

/// Who may register clients (RFC 7591 section 3).
package enum RegistrationPolicy: Sendable {
    /// Everybody.
    case open
    /// Whoever presents this token.
    case token(SharedSecret)
    /// Nobody: there is no such endpoint.
    case off

    var isOffered: Bool {
        if case .off = self { false } else { true }
    }
}
