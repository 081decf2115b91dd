import HTTPMessages
import OAuth
import Primitives

/// Tells a resource server what a token stands for (RFC 7662).
///
/// Any client that proves who it is may ask about any access token: that is how resource servers are known here. About a
/// refresh token only the client may ask that has it. Everybody else, and whoever asks about something else, is told that
/// it is not active, and not why (section 2.2).
struct IntrospectionEndpoint: Endpoint {
    static let location = "/introspect"

    let path = IntrospectionEndpoint.location
    let methods: [HTTPRequest.Method] = [.post]
    let isPublic = false

    private let context: ProviderContext
    private let authenticator: ClientAuthenticator
    private let accessTokens: AccessTokenReader

    init(context: ProviderContext, authenticator: ClientAuthenticator) {
        self.context = context
        // RFC 7662 section 2.1: the endpoint MUST require authorization, or whoever finds a token could try it here.
        self.authenticator = authenticator.withoutPublicClients
        accessTokens = AccessTokenReader(context: context)
    }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        let trace = FamilyTrace()
        var response: ServerResponse
        do throws(OAuthError) {
            let answer = try await answer(to: request, as: issuer, trace)
            response = ServerResponse(status: .ok, headerFields: ResponseFields.neverStored, body: .bytes(answer))
        } catch {
            context.logger.refused("introspection.refused", error, request)
            response = ErrorResponse.response(for: error)
        }
        trace.apply(to: &response)
        return response
    }

    private func answer(
        to request: ServerRequest, as issuer: PreparedIssuer, _ trace: FamilyTrace
    ) async throws(OAuthError) -> [UInt8] {
        let now = context.clock.now()
        let question = try await TokenQuestion(request, to: path, as: issuer, at: now, by: authenticator)
        if let token = context.refreshTokens.read(question.token) {
            trace.present(token.family, token.node)
            let members = try await members(of: token, askedBy: question.client, as: issuer, at: now)
            return members.map { JSON.object($0).serialised() } ?? Self.inactive
        }
        return try await accessTokens.active(question.token, at: now, notingIn: trace).map(body) ?? Self.inactive
    }

    private static let inactive = Array(#"{"active":false}"#.utf8)

    /// Section 2.2. The claims of the token, which are the same whether it is signed or opaque, and what they do not say.
    private func body(for token: AccessTokenReader.Active) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 512)
        writer.beginObject()
        writer.member("active", true)
        for (name, value) in token.facts.claims where !Self.saysItself(name) {
            writer.name(name)
            writer.value(value)
        }
        writer.member("token_type", AccessToken.type(boundTo: token.facts.confirmation))
        if let username = token.family.flatMap({ username(in: $0.terms, for: token.client) }) {
            writer.member("username", username)
        }
        writer.endObject()
        return writer.takeBytes()
    }

    /// Section 2.2 gives these a meaning of their own, which a claim of that name does not have: here they are said by the
    /// provider alone. A token may have them, for there they are nobody's.
    private static func saysItself(_ name: String) -> Bool {
        sameText(name, "active") || sameText(name, "token_type") || sameText(name, "username")
    }

    /// Not where the client is to know the user by a name of its own: this one would tell what that hides (section 5).
    private func username(in terms: FamilyTerms, for client: Client) -> String? {
        guard client.metadata.subjectType == .shared else { return nil }
        return context.users[id: terms.userID]?.username
    }

    /// Judged on a copy: whoever asks whether a refresh token is good spends none.
    private func members(
        of token: (family: FamilyID, node: UInt32), askedBy client: Client, as issuer: PreparedIssuer,
        at now: Timestamp
    ) async throws(OAuthError) -> JSONObject? {
        guard var family = try await accessTokens.livingFamily(token.family),
            sameText(family.terms.clientID, client.id), try await !context.hasLostOrigin(family.terms),
            context.rotation(for: client).judge(&family, presenting: token.node, at: now).isAccepted
        else { return nil }
        return members(of: family.terms, for: client, as: issuer)
    }

    private func members(of terms: FamilyTerms, for client: Client, as issuer: PreparedIssuer) -> JSONObject {
        var members: JSONObject = [
            "active": true, "client_id": .string(client.id), "iss": .string(issuer.identifier),
            "sub": .string(context.subjects.subject(of: terms.userID, for: client)),
            "iat": .number(JSONNumber(terms.began.secondsSinceEpoch)),
        ]
        if let username = username(in: terms, for: client) { members["username"] = .string(username) }
        if !terms.scope.isEmpty { members["scope"] = .string(terms.scope.text) }
        if let expires = context.rotation(for: client).expiry(of: terms) {
            members["exp"] = .number(JSONNumber(expires.secondsSinceEpoch))
        }
        if let confirmation = terms.confirmation { members["cnf"] = confirmation.json }
        if let actor = terms.actor { members["act"] = actor }
        if let authentication = terms.authentication {
            members["auth_time"] = .number(JSONNumber(authentication.moment.secondsSinceEpoch))
            if let contextClass = authentication.contextClass { members["acr"] = .string(contextClass) }
        }
        return members
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata[.introspectionEndpoint] = .string(metadata.issuer.url(of: path))
        authenticator.advertise(in: &metadata, as: .introspectionEndpointAuthenticationMethods)
    }
}
