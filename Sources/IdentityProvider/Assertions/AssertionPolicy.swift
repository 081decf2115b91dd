import JOSE
import OAuth
import Primitives

/// What an assertion must say (RFC 7523 section 3), whether it stands for what a user authorised or proves who a client
/// is. A value without store and clock.
///
///     let policy = AssertionPolicy(issuer: client.id, subject: .exactly(client.id), audiences: […], longestLifetime: …)
///     let assertion = try policy.verify(text, keys: .asserting(client.metadata.keys), at: now)
///     guard try await context.spend(assertion, at: now) else { … }
struct AssertionPolicy: Sendable {
    /// Whose it must be, by the key and by `iss`.
    let issuer: String
    var subject = Subject.any
    /// Our own names, of which `aud` must be one at least.
    let audiences: [String]
    /// How long from now it may be good: what lives longer than it takes to use it waits to be stolen, and has to be
    /// remembered.
    let longestLifetime: Duration
    var identifier = Identifier.optional
    /// How far the clocks may differ.
    var leeway = AssertionPolicy.standardLeeway

    static let standardLeeway = Duration.seconds(5)

    /// Whom it must be about.
    enum Subject: Sendable, Equatable {
        case any
        case exactly(String)
    }

    /// Whether it must have a `jti`.
    enum Identifier: Sendable, Equatable { case optional, required }

    /// Our names in an assertion: RFC 7523 section 3 has the token endpoint, and the issuer is what OpenID Connect Core
    /// section 9 and newer advice prefer.
    static func audiences(of issuer: PreparedIssuer, alsoAt path: String = TokenEndpoint.location) -> [String] {
        var names = [issuer.identifier] + issuer.urls(of: TokenEndpoint.location)
        if path != TokenEndpoint.location { names += issuer.urls(of: path) }
        return names
    }

    /// Verifies the signature and everything that can be judged from the assertion alone.
    func verify(
        _ text: String, keys: VerificationKeySet, at now: Timestamp
    ) throws(AssertionError) -> VerifiedAssertion {
        let claims = try verifiedClaims(of: text, keys, at: now)
        // RFC 7523 section 3 items 1, 2 and 4: iss, sub and exp MUST be there. The policy below has looked.
        guard let subject = claims.subject, let expires = claims.expires else {
            throw .unacceptable(.missingClaim("sub"))
        }
        if case .exactly(let expected) = self.subject, !sameText(subject, expected) { throw .wrongSubject }
        // RFC 7523 section 3 item 4: one with an exp unreasonably far in the future MAY be refused.
        guard expires <= now + longestLifetime + leeway else { throw .livesTooLong(longest: longestLifetime) }
        if identifier == .required, claims.tokenID == nil { throw .unacceptable(.missingClaim("jti")) }
        if let name = claims.tokenID, name.utf8.count > Self.maximumIdentifierByteCount { throw .identifierTooLong }
        return VerifiedAssertion(
            issuer: issuer, subject: subject, identifier: claims.tokenID, goodUntil: expires + leeway,
            claims: claims.members)
    }

    /// It is remembered, so it has an end.
    static let maximumIdentifierByteCount = 255

    private func verifiedClaims(
        of text: String, _ keys: VerificationKeySet, at now: Timestamp
    ) throws(AssertionError) -> JWTClaims {
        // RFC 7523 section 3: iss, sub, aud, exp MUST be there, nbf and iat count if they are; item 9: signed or MACed.
        let policy = JWTPolicy(
            issuer: .exactly(issuer), audience: .oneOf(audiences), leeway: leeway,
            requiredClaims: ["iss", "sub", "aud", "exp"])
        do {
            return try policy.verify(text, keys: keys, at: now).claims
        } catch {
            throw .unacceptable(error)
        }
    }
}
