import JOSE
import OAuth
import Primitives

/// Judges one request object (RFC 9101 sections 4 to 6).
struct RequestObjectJudge: Sendable {
    let context: ProviderContext
    let client: Client
    let issuer: PreparedIssuer
    let now: Timestamp

    /// How far the clocks may differ.
    static let leeway = Duration.seconds(10)
    /// How far away the expiry of one that is good once may be: so long it has to be remembered.
    static let longestMemory = Duration.seconds(3600)
    static let maximumIdentifierByteCount = 256

    func parameters(of text: String) async throws(OAuthError) -> FormParameters {
        let claims = try await verify(text).claims
        try checkSubject(claims)
        let parameters = try RequestObjectParameters(claims.members, clientID: client.id).form
        try await spend(claims)
        return parameters
    }

    private func verify(_ text: String) async throws(OAuthError) -> VerifiedJWT {
        let header: JOSEHeader
        // RFC 9101 section 10.1 and OpenID Connect Core section 6.1 let an object go unsigned; this provider does not.
        do { header = try UnverifiedJWS(compact: text, limits: .token).header } catch {
            throw Self.refused(error.description)
        }
        try checkType(header)
        let keys = try await keys(for: header)
        // RFC 9101 section 4: iss is the client, aud is this provider.
        let policy = JWTPolicy(
            issuer: .exactly(client.id), audience: .oneOf([issuer.identifier]), leeway: Self.leeway,
            requiredClaims: ["iss", "aud"])
        do { return try policy.verify(text, keys: keys, at: now) } catch { throw Self.refused(error.description) }
    }

    /// RFC 9101 section 10.8: the type keeps it from passing for something else; many clients give none.
    private func checkType(_ header: JOSEHeader) throws(OAuthError) {
        guard var type = header.type?.lowercased() else { return }
        if type.hasPrefix("application/") { type.removeFirst("application/".count) }
        guard ["oauth-authz-req+jwt", "jwt"].contains(where: { sameText($0, type) }) else {
            throw Self.refused("typ is oauth-authz-req+jwt")
        }
    }

    /// RFC 9101 section 6.2: a key of the client, and the algorithm that it registered, or any that is not symmetric.
    private func keys(for header: JOSEHeader) async throws(OAuthError) -> VerificationKeySet {
        guard let algorithm = header.algorithm else { throw Self.refused("the algorithm is not supported") }
        let registered = client.metadata.requestObjectAlgorithm
        if let registered, registered != algorithm { throw Self.refused("the client is registered for \(registered)") }
        guard algorithm.isSymmetric else {
            do {
                return try await context.clientKeys.verificationKeys(
                    of: client, for: header, algorithm: algorithm, at: now)
            } catch {
                throw Self.refused("the client has no key that fits", cause: error.description)
            }
        }
        // Its secret, and only if it said so: RFC 8725 section 3.1.
        guard registered != nil, let key = try? VerificationKey(client.secretKey(), algorithm: algorithm) else {
            throw Self.refused("this client may not sign with a secret")
        }
        return VerificationKeySet([key])
    }

    /// RFC 9101 section 10.8: what has the client for its subject is an assertion that proves it, and no request.
    private func checkSubject(_ claims: JWTClaims) throws(OAuthError) {
        if let subject = claims.subject, sameText(subject, client.id) {
            throw Self.refused("sub must not be the client")
        }
    }

    /// One with a name is good once, and needs an end, for its name has to be remembered until then.
    private func spend(_ claims: JWTClaims) async throws(OAuthError) {
        guard let name = claims.tokenID else { return }
        guard (1...Self.maximumIdentifierByteCount).contains(name.utf8.count) else {
            throw Self.refused("jti is empty, or longer than \(Self.maximumIdentifierByteCount) bytes")
        }
        guard let expires = claims.expires, expires <= now + Self.longestMemory else {
            throw Self.refused("an object with a jti has an exp, at most \(Self.longestMemory.inSeconds) seconds away")
        }
        let (owner, now) = (client.id, now)
        let isNew = try await context.storing { store throws(StoreError) in
            try await store.spend(
                OneTimeIdentifier(.requestObject, of: owner, named: name), until: expires + Self.leeway, at: now)
        }
        guard isNew else { throw Self.refused("it was used before") }
    }

    static func refused(_ reason: String, cause: String? = nil) -> OAuthError {
        OAuthError(.invalidRequestObject, "the request object was refused: \(reason)", cause: cause)
    }
}
