import JOSE
import OAuth
import Primitives

/// Reads access tokens that this provider gave out, of either form.
package struct AccessTokenReader: Sendable {
    let context: ProviderContext

    package init(context: ProviderContext) {
        self.context = context
    }

    /// What a token says; `nil` unless it is ours, of this time, not revoked, its client still there, and what it follows
    /// from alive.
    package func facts(of token: String, at now: Timestamp) async throws(OAuthError) -> AccessTokenFacts? {
        try await active(token, at: now)?.facts
    }

    /// A token that is good, and what it follows from.
    struct Active: Sendable {
        let facts: AccessTokenFacts
        let client: Client
        /// `nil`: the client acts for itself.
        let family: Family?
    }

    /// As ``facts(of:at:)``, with what was looked up on the way.
    ///
    /// - Parameter trace: where it is noted whose it is, or was.
    func active(
        _ token: String, at now: Timestamp, notingIn trace: FamilyTrace? = nil
    ) async throws(OAuthError) -> Active? {
        guard let found = try await found(token, at: now) else { return nil }
        let facts = found.facts
        trace?.concern(facts)
        guard found.isInTime, try await !isRevoked(facts, at: now), let client = context.client(facts.clientID),
            // What a client was given that has gone since is not for one of its name.
            AccessTokenIdentifier.stay(in: facts.identifier).map({ $0 == client.stay }) ?? true
        else { return nil }
        guard let familyID = facts.familyID else { return Active(facts: facts, client: client, family: nil) }
        guard let family = try await livingFamily(familyID) else { return nil }
        // A token that came with a refresh token, and ends with it.
        if let node = AccessTokenIdentifier.node(in: facts.identifier), !family.rotation.isLive(node) { return nil }
        return Active(facts: facts, client: client, family: family)
    }

    private func isRevoked(_ facts: AccessTokenFacts, at now: Timestamp) async throws(OAuthError) -> Bool {
        try await context.storing { store throws(StoreError) in
            try await store.isAccessTokenRevoked(facts.identifier, at: now)
        }
    }

    /// A token that was ours, whatever has become since of what it stands for.
    private struct Found: Sendable {
        let facts: AccessTokenFacts
        let isInTime: Bool
    }

    private func found(_ token: String, at now: Timestamp) async throws(OAuthError) -> Found? {
        guard Self.isOpaque(token) else {
            guard let verified = await verified(token, at: now), let standing = verified.standing(at: now) else {
                return nil
            }
            return Found(facts: verified.facts, isInTime: standing == .good)
        }
        let record = try await context.storing { store throws(StoreError) in
            try await store.accessToken(named: TokenDigest(of: token), at: now - Self.longestPast)
        }
        return record.map { Found(facts: $0.facts, isInTime: $0.isGood(at: now)) }
    }

    private func verified(_ token: String, at now: Timestamp) async -> VerifiedAccessToken? {
        let digest = TokenDigest(of: token)
        if let known = context.keyRing.accessTokenVerifier(at: now).token(known: digest) { return known }
        let verification = PendingVerification(of: token, digest, by: context.keyRing, at: now)
        await withUnsafeContinuation { context.batches.add(verification, for: $0) }
        return verification.token
    }

    /// Whether a text has the form of the tokens that the store knows, and not of those that say themselves what they are.
    static func isOpaque(_ token: String) -> Bool { token.utf8.starts(with: AccessTokenIssuer.opaquePrefix.utf8) }

    /// What a token of ours says or said, be it good no more: for the record of who has come with it, and for nothing else. A
    /// store that fails remembers none: the answer is not about that.
    func pastFacts(of token: String, at now: Timestamp) async -> AccessTokenFacts? {
        try? await found(token, at: now)?.facts
    }

    /// After that nobody looks for it; and its key is gone, as a rule.
    static let longestPast = Duration.seconds(30 * 86_400)

    /// The family, unless it has ended, or the login or the family that it ends with, or its user or client has gone since.
    func livingFamily(_ id: FamilyID) async throws(OAuthError) -> Family? {
        let family = try await context.storing { store throws(StoreError) in try await store.family(id) }
        guard let family, !family.isOver, context.holds(family.terms),
            try await !context.hasLostOrigin(family.terms, sparingAccessTokens: true),
            try await !context.hasLostLogin(family.terms)
        else { return nil }
        return family
    }
}

/// A token that is verified with those of others, whatever its algorithm: which that is, only reading it tells.
private final class PendingVerification: BatchedWork, @unchecked Sendable {
    private let text: String
    private let digest: TokenDigest
    private let keyRing: KeyRing
    private let now: Timestamp
    private(set) var token: VerifiedAccessToken?

    init(of text: String, _ digest: TokenDigest, by keyRing: KeyRing, at now: Timestamp) {
        self.text = text
        self.digest = digest
        self.keyRing = keyRing
        self.now = now
    }

    /// By the keys of this moment, and not of the one when it began to wait.
    func perform() { token = keyRing.accessTokenVerifier(at: now).verify(text, digest: digest, at: now) }
}

extension AccessTokenFacts {
    /// `nil` when a claim is missing that every token of ours has.
    init?(_ claims: JWTClaims) {
        guard let identifier = claims.tokenID, let clientID = claims.members["client_id"]?.string,
            let subject = claims.subject, let issuedAt = claims.issuedAt, let expires = claims.expires
        else { return nil }
        self.identifier = identifier
        self.clientID = clientID
        self.subject = subject
        familyID = AccessTokenIdentifier.family(in: identifier)
        scope = claims.members["scope"]?.string.flatMap { try? Scope(parsing: $0) } ?? .empty
        audience = claims.audience ?? []
        self.issuedAt = issuedAt
        self.expires = expires
        confirmation = Confirmation(claims.members["cnf"])
        self.claims = claims.members
    }
}

extension Confirmation {
    /// The `cnf` of a token of ours.
    init?(_ json: JSON?) {
        if let thumbprint = json?["jkt"]?.string {
            self = .proofKey(thumbprint: thumbprint)
        } else if let thumbprint = json?["x5t#S256"]?.string {
            self = .certificate(thumbprint: thumbprint)
        } else {
            return nil
        }
    }
}
