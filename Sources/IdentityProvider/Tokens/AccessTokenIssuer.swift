import JOSE
import OAuth
import Primitives

/// Makes access tokens: signed JWTs that any resource server can check by itself (RFC 9068), or texts that mean nothing to
/// anybody but this provider.
struct AccessTokenIssuer: Sendable {
    let context: ProviderContext

    /// Part of whoever calls it, as ``ProviderContext/storing(_:)`` is.
    @inline(__always)
    func issue(_ order: borrowing AccessTokenOrder) async throws(OAuthError) -> AccessToken {
        guard isOpaque(order.client) else { return try await signed(order) }
        let made = try opaque(order)
        try await context.storing { store throws(StoreError) in try await store.keep(made.record, named: made.digest) }
        return made.token
    }

    /// Whether its access tokens are kept, and mean nothing to anybody else.
    func isOpaque(_ client: Client) -> Bool {
        switch (client.metadata.accessTokenFormat, context.configuration.accessTokens.format) {
        case (.jwt, .jwt): false
        case (.opaque, _), (_, .opaque): true
        }
    }

    /// What follows from the order and the policy.
    private struct Terms {
        let identifier: String
        let issuedAt: Int64
        let expiry: Int64
        let audience: [String]

        var lifetime: Int64 { expiry - issuedAt }
    }

    private func terms(of order: borrowing AccessTokenOrder) -> Terms {
        let policy = context.configuration.accessTokens
        let issuedAt = order.now.secondsSinceEpoch
        let lifetime = (order.client.metadata.accessTokenLifetime ?? policy.lifetime).inSeconds
        let expiry = min(issuedAt + lifetime, order.latestExpiry?.secondsSinceEpoch ?? .max)
        return Terms(
            identifier: AccessTokenIdentifier(
                of: order.family?.id, with: order.refreshNode, in: order.client.stay, from: context.random
            ).text,
            issuedAt: issuedAt, expiry: expiry, audience: audience(of: order, by: policy))
    }

    private func audience(of order: borrowing AccessTokenOrder, by policy: AccessTokenPolicy) -> [String] {
        if !order.audience.isEmpty { return order.audience }
        if !order.client.metadata.accessTokenAudience.isEmpty { return order.client.metadata.accessTokenAudience }
        switch policy.audience {
        case .issuer: return [order.issuer.identifier]
        case .fixed(let audiences): return audiences
        }
    }

    /// Part of whoever calls it, as ``ProviderContext/storing(_:)`` is.
    @inline(__always)
    private func signed(_ order: borrowing AccessTokenOrder) async throws(OAuthError) -> AccessToken {
        let terms = terms(of: order)
        let algorithm = order.client.metadata.accessTokenAlgorithm ?? context.configuration.accessTokens.algorithm
        let token = try await context.signer.sign(
            .accessToken, with: algorithm, expiring: Timestamp(secondsSinceEpoch: terms.expiry), at: order.now
        ) { writer in
            writer.members(overriddenBy: order.overridingClaims) { write(order, terms, to: &$0) }
        }
        return AccessToken(
            text: token.text, identifier: terms.identifier, keyID: token.keyID, lifetimeSeconds: terms.lifetime,
            confirmation: order.confirmation)
    }

    /// The claims that RFC 9068 section 2.2 requires, and those of sections 2.2.1 to 2.2.3 where there is something to
    /// say. What the order adds replaces none of them.
    private func write(_ order: borrowing AccessTokenOrder, _ terms: Terms, to writer: inout JSONWriter) {
        writer.member("iss", order.issuer.identifier)
        writer.member("sub", order.subject)
        writer.audience(terms.audience)
        writer.member("exp", terms.expiry)
        writer.member("iat", terms.issuedAt)
        writer.member("jti", terms.identifier)
        writer.member("client_id", order.client.id)
        if !order.scope.isEmpty { writer.member("scope", order.scope.text) }
        if let authentication = order.family?.authentication {
            writer.member("auth_time", authentication.moment.secondsSinceEpoch)
            if let contextClass = authentication.contextClass, !order.claims.contains("acr") {
                writer.member("acr", contextClass)
            }
        }
        if let confirmation = order.confirmation { writer.member("cnf", confirmation.json) }
        if let actor = order.actor { writer.member("act", actor) }
        for (name, value) in order.claims where !Self.ownClaims.contains(name) {
            writer.name(name)
            writer.value(value)
        }
    }

    private static let ownClaims: Set<String> = [
        "iss", "sub", "aud", "exp", "iat", "jti", "client_id", "scope", "auth_time", "cnf", "act",
    ]

    /// Tells an opaque token from a signed one, which begins with the Base64URL of an object.
    static let opaquePrefix = "at1."

    /// Makes an opaque token, which is good when it has been kept.
    func opaque(_ order: borrowing AccessTokenOrder) throws(OAuthError) -> OpaqueAccessToken {
        let terms = terms(of: order)
        // The same claims as a signed one has, so that introspection says the same of both.
        var writer = JSONWriter(reservingCapacity: 512)
        writer.beginObject()
        writer.members(overriddenBy: order.overridingClaims) { write(order, terms, to: &$0) }
        writer.endObject()
        guard case .object(let claims)? = try? JSON(parsing: writer.takeBytes().span) else {
            throw OAuthError(.serverError, "the token could not be made", cause: "its claims are no JSON")
        }
        let text = Self.opaquePrefix + context.random.identifier(byteCount: 32)
        let facts = AccessTokenFacts(
            identifier: terms.identifier, clientID: order.client.id, subject: order.subject,
            familyID: order.family?.id, scope: order.scope, audience: terms.audience,
            issuedAt: Timestamp(secondsSinceEpoch: terms.issuedAt),
            expires: Timestamp(secondsSinceEpoch: terms.expiry), confirmation: order.confirmation, claims: claims)
        let token = AccessToken(
            text: text, identifier: terms.identifier, keyID: nil, lifetimeSeconds: terms.lifetime,
            confirmation: order.confirmation)
        return OpaqueAccessToken(token: token, record: AccessTokenRecord(facts), digest: TokenDigest(of: text))
    }
}

extension JSONWriter {
    /// Writes the members that `body` writes, with those of `overriding` in the place of those of the same name; `null`
    /// takes one away.
    mutating func members(overriddenBy overriding: JSONObject?, _ body: (inout JSONWriter) -> Void) {
        guard let overriding, !overriding.isEmpty else { return body(&self) }
        var own = JSONWriter(reservingCapacity: 512)
        own.beginObject()
        body(&own)
        own.endObject()
        let members = (try? JSON(parsing: own.takeBytes().span))?.object ?? [:]
        for (name, value) in members.overridden(by: overriding) where value != .null {
            self.name(name)
            self.value(value)
        }
    }

    /// RFC 7519 section 4.1.3: one audience is a string, several are an array.
    mutating func audience(_ audience: [String]) {
        guard audience.count != 1 else { return member("aud", audience[0]) }
        name("aud")
        beginArray()
        for audience in audience { string(audience) }
        endArray()
    }
}
