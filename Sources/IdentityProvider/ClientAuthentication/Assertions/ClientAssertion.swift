import JOSE
import OAuth
import Primitives

/// An assertion by which a client proves itself, as it came in (RFC 7523 section 2.2, OpenID Connect Core section 9): it
/// says of which client it claims to be, and nothing of it is to be believed yet.
struct ClientAssertion: Sendable {
    let text: String
    let header: JOSEHeader
    let algorithm: SignatureAlgorithm
    let clientID: String

    /// RFC 7523 section 2.2.
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// Whether a request brings an assertion that is signed with a secret, or with a key; `nil`: it brings none. What
    /// cannot be read counts as signed with a key, which it is not.
    static func isSymmetric(_ request: ClientRequest) -> Bool? {
        guard request.form["client_assertion"] != nil || request.form["client_assertion_type"] != nil else {
            return nil
        }
        guard let text = request.form["client_assertion"],
            let object = try? UnverifiedJWS(compact: text, limits: .token)
        else { return false }
        return object.header.algorithm?.isSymmetric ?? false
    }

    /// The assertion alone names the client, for `client_id` is optional (RFC 7521 section 4.2).
    init(of request: ClientRequest) throws(OAuthError) {
        // RFC 7521 section 4.2: both parameters are REQUIRED.
        guard let type = request.form["client_assertion_type"], let text = request.form["client_assertion"] else {
            throw OAuthError(.invalidClient, "client_assertion and client_assertion_type come together")
        }
        guard sameText(type, Self.type) else {
            throw OAuthError(.invalidClient, "client_assertion_type must be \(Self.type)")
        }
        let header: JOSEHeader
        do { header = try UnverifiedJWS(compact: text, limits: .token).header } catch {
            throw Self.refused(.unacceptable(.signature(error)))
        }
        guard let assertion = UnverifiedAssertion(text), let subject = assertion.subject else {
            throw OAuthError(.invalidClient, "the claims of the client assertion must hold iss and sub")
        }
        // RFC 7523 section 3: for client authentication, the subject MUST be the client_id; OpenID Connect Core
        // section 9: and so must the issuer.
        guard sameText(assertion.issuer, subject) else {
            throw OAuthError(.invalidClient, "iss and sub of a client's assertion are both its client_id")
        }
        if let named = request.form["client_id"], !sameText(named, subject) {
            throw OAuthError(.invalidClient, "client_id is not the client of the assertion")
        }
        guard let algorithm = header.algorithm else {
            throw Self.refused(.unacceptable(.signature(.algorithmNotSupported)))
        }
        self.text = text
        self.header = header
        self.algorithm = algorithm
        clientID = subject
    }

    /// The client that it claims to be of.
    func client(in context: ProviderContext) throws(OAuthError) -> Client {
        guard let client = context.client(clientID) else {
            throw OAuthError(.invalidClient, Self.refusal, cause: "unknown client")
        }
        // RFC 7591 section 2, token_endpoint_auth_signing_alg: no other is taken.
        if let registered = client.metadata.authenticationAlgorithm, registered != algorithm {
            throw OAuthError(.invalidClient, Self.refusal, cause: "the client is registered for \(registered)")
        }
        return client
    }

    /// Judges everything, and notes that it was used: only now, when all else is right.
    func accept(
        by keys: VerificationKeySet, for request: ClientRequest, in context: ProviderContext
    ) async throws(OAuthError) {
        // Never a name that the request itself brings: who got an assertion that was meant for him could call us by his own.
        let names = AssertionPolicy.audiences(of: request.issuer, alsoAt: request.path)
        let policy = AssertionPolicy(
            issuer: clientID, subject: .exactly(clientID), audiences: names,
            longestLifetime: context.configuration.lifetimes.assertion, identifier: .required)
        let assertion: VerifiedAssertion
        do { assertion = try policy.verify(text, keys: keys, at: request.now) } catch { throw Self.refused(error) }
        try requireType()
        try Self.requireSoleAudience(assertion, among: names)
        guard assertion.identifier?.isEmpty == false else {
            throw OAuthError(.invalidClient, "the jti of the client assertion is empty")
        }
        guard try await context.spend(assertion, at: request.now) else { throw Self.refused(.used) }
    }

    /// RFC 8725 section 3.11: a token that says it is of another sort is not taken for an assertion. Most say nothing;
    /// what succeeds RFC 7523 gives them a type.
    private func requireType() throws(OAuthError) {
        guard var type = header.type?.lowercased() else { return }
        if type.hasPrefix("application/") { type.removeFirst("application/".count) }
        guard ["jwt", "client-authentication+jwt"].contains(where: { sameText($0, type) }) else {
            throw OAuthError(.invalidClient, "the typ of a client assertion is JWT, client-authentication+jwt or none")
        }
    }

    /// Whoever else is in the audience could present the assertion here, so that nobody else may be.
    private static func requireSoleAudience(
        _ assertion: VerifiedAssertion, among names: [String]
    ) throws(OAuthError) {
        guard let audience = assertion.claims["aud"]?.array else { return }
        let isOurs = audience.allSatisfy { one in
            one.string.map { one in names.contains { sameText($0, one) } } ?? false
        }
        guard isOurs else {
            throw OAuthError(.invalidClient, "the aud of a client assertion is this provider and nobody besides")
        }
    }

    /// Says of an unknown client what it says of a wrong signature.
    static let refusal = "unknown client, or an assertion whose signature is not the client's"

    /// A fault of the claims is told, for it helps the developer of the client; what has to do with keys is not.
    static func refused(_ error: AssertionError) -> OAuthError {
        if case .unacceptable(.signature) = error {
            return OAuthError(.invalidClient, refusal, cause: error.description)
        }
        return OAuthError(
            .invalidClient, "the client assertion was refused: \(error)", cause: error.description)
    }
}
