import JOSE
import Primitives

/// What an assertion says before anybody has verified it: whose keys to look for, and nothing that is to be believed.
struct UnverifiedAssertion: Sendable {
    /// `iss`.
    let issuer: String
    /// `sub`, if there is one.
    let subject: String?
    /// `kid` of its header.
    let keyID: String?

    /// `nil` for what is no JWT, or names no issuer.
    init?(_ text: String) {
        guard let object = try? UnverifiedJWS(compact: text, limits: .token),
            let claims = try? JSON(parsing: object.unverifiedPayload.span, limits: Self.limits),
            let issuer = claims["iss"]?.string
        else { return nil }
        self.issuer = issuer
        subject = claims["sub"]?.string
        keyID = object.header.keyID
    }

    /// Whether a key of the set may have signed it.
    func mayBeSigned(by keys: JWKSet) -> Bool {
        guard let keyID else { return true }
        return keys.keys.contains { $0.keyID.map { sameText($0, keyID) } ?? true }
    }

    private static let limits = JSONLimits(depth: 32, members: 1000)
}
