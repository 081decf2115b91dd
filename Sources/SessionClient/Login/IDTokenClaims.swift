import Primitives

/// Who has signed in, by an ID token that was checked. A login makes one, and nobody else.
///
///     let who = try await session.finishSignIn(login, callback: callback)
///     greet(who?.members["name"]?.string ?? "you")
public struct IDTokenClaims: Sendable {
    /// `sub`: names the user at this issuer, for ever.
    public let subject: String
    /// Every claim, as the server wrote it. Personal data: not for a log.
    public let members: JSONObject

    init(subject: String, members: JSONObject) {
        self.subject = subject
        self.members = members
    }
}

extension IDTokenClaims: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of it, for a log.
    public var description: String { "<redacted>" }
    /// Nothing of it, for a log.
    public var debugDescription: String { "<redacted>" }
    /// Nothing of it, for a debugger.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
