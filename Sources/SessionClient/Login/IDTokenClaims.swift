import Primitives

/// Who has signed in, by an ID token that was checked. Only ``IDTokenExpectation`` makes one.
package struct IDTokenClaims: Sendable {
    /// `sub`: names the user at this issuer, for ever.
    package let subject: String
    /// Every claim, as the server wrote it. Personal data: not for a log.
    package let members: JSONObject

    init(subject: String, members: JSONObject) {
        self.subject = subject
        self.members = members
    }
}

extension IDTokenClaims: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
