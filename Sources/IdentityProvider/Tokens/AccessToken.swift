/// An access token that was just made. It prints without the token.
struct AccessToken: Sendable {
    let text: String
    /// `jti`: names the token in logs, where the token itself must not be.
    let identifier: String
    /// `nil` for one that is not signed.
    let keyID: String?
    let lifetimeSeconds: Int64
    let confirmation: Confirmation?
    /// RFC 8693 section 2.2.1: what is in the place of an access token and is none is presented nowhere.
    var isUsedForAccess = true

    /// `token_type`: how the token is to be presented. A token bound to a certificate is presented as any other
    /// (RFC 8705 section 3).
    var type: String { isUsedForAccess ? Self.type(boundTo: confirmation) : "N_A" }

    static func type(boundTo confirmation: Confirmation?) -> String {
        if case .proofKey = confirmation { "DPoP" } else { "Bearer" }
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    var description: String { "AccessToken(jti: \(identifier))" }
    var customMirror: Mirror {
        Mirror(self, children: ["identifier": identifier, "keyID": keyID ?? "-"])
    }
}
