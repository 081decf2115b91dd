/// An access token that was just signed. It prints without the token.
struct AccessToken: Sendable {
    let text: String
    /// `jti`: names the token in logs, where the token itself must not be.
    let identifier: String
    let keyID: String
    let lifetimeSeconds: Int64
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    var description: String { "AccessToken(jti: \(identifier))" }
    var customMirror: Mirror { Mirror(self, children: ["identifier": identifier, "keyID": keyID]) }
}
