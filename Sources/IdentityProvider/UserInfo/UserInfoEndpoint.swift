import HTTPMessages
import JOSE
import OAuth
import Primitives

/// Says who the user of an access token is (OpenID Connect Core section 5.3).
struct UserInfoEndpoint: Endpoint {
    static let location = "/userinfo"

    let path = UserInfoEndpoint.location
    /// Section 5.3.1: both MUST be supported.
    let methods: [HTTPRequest.Method] = [.get, .post]
    let isPublic = false

    private let context: ProviderContext
    private let reader: AccessTokenReader
    private let senders: ResourceSenderCheck

    init(context: ProviderContext) {
        self.context = context
        senders = ResourceSenderCheck(context: context)
        reader = AccessTokenReader(context: context)
    }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        let trace = FamilyTrace()
        var response = await answer(to: request, as: issuer, trace)
        trace.apply(to: &response, of: trace.tokenClientID)
        return response
    }

    private func answer(
        to request: ServerRequest, as issuer: PreparedIssuer, _ trace: FamilyTrace
    ) async -> ServerResponse {
        let presented: ResourceToken?
        do throws(OAuthError) {
            presented = try ResourceToken.find(in: request, acceptsForm: true)
        } catch {
            return refuse(error, to: request)
        }
        guard let presented else {
            return ResourceChallenges.response(asking: [.bearer, .dpop], scope: Self.openID)
        }
        do throws(OAuthError) {
            return try await answer(to: request, presenting: presented, as: issuer, at: context.clock.now(), trace)
        } catch {
            return refuse(error, to: request, presentedBy: presented.scheme)
        }
    }

    private static let openID: Scope = {
        do { return try Scope(parsing: "openid") } catch { preconditionFailure("openid is a scope: \(error)") }
    }()

    private func answer(
        to request: ServerRequest, presenting presented: ResourceToken, as issuer: PreparedIssuer, at now: Timestamp,
        _ trace: FamilyTrace
    ) async throws(OAuthError) -> ServerResponse {
        guard let token = try await reader.active(presented.text, at: now, notingIn: trace) else {
            throw OAuthError(.invalidToken, "the access token is not good (any more)")
        }
        let fields: HTTPFields
        do throws(ResourceRefusal) {
            fields = try await senders.check(
                request, presenting: ResourceSenderCheck.Presentation(presented.text, by: presented.scheme),
                boundTo: token.facts.confirmation, to: path, of: issuer, at: now)
        } catch {
            report(error.error, to: request)
            return error.response
        }
        var response = try await response(for: token, as: issuer, at: now)
        for field in fields { response.head.headerFields[field.name] = field.value }
        return response
    }

    private func response(
        for token: AccessTokenReader.Active, as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(OAuthError) -> ServerResponse {
        // Section 5.3: the access token comes from an authentication request of OpenID Connect.
        guard token.facts.scope.contains("openid") else {
            throw OAuthError(.insufficientScope, "the access token was not given for the scope openid")
        }
        guard let family = token.family else {
            throw OAuthError(
                .invalidToken, "no user has authorised this access token: it was given to the client itself")
        }
        let claims = claims(of: family.terms, for: token.client, scope: token.facts.scope)
        guard let algorithm = token.client.metadata.userInfoAlgorithm else {
            return ServerResponse(
                status: .ok, headerFields: ResponseFields.neverStored, body: .bytes(JSON.object(claims).serialised()))
        }
        return try await signed(claims, with: algorithm, for: token.client, as: issuer, at: now)
    }

    /// Section 5.3.2: `sub` MUST always be there, and is that of the ID token. What is known of a user is never a claim of
    /// the protocol; ``User`` and ``ClaimAssembler`` see to that.
    private func claims(of terms: FamilyTerms, for client: Client, scope: Scope) -> JSONObject {
        let subject = context.subjects.subject(of: terms.userID, for: client)
        let assembler = ClaimAssembler(
            context: context, client: client, terms: terms, user: context.users[id: terms.userID], subject: subject,
            scope: scope, grant: "")
        var claims: JSONObject = ["sub": .string(subject)]
        for (name, value) in assembler.claims(for: .userInfo) { claims[name] = value }
        return claims
    }

    /// Section 5.3.2: signed, the answer has `iss` and `aud`, and its type is `application/jwt`.
    private func signed(
        _ claims: JSONObject, with algorithm: SignatureAlgorithm, for client: Client, as issuer: PreparedIssuer,
        at now: Timestamp
    ) async throws(OAuthError) -> ServerResponse {
        let token = try await context.signer.sign(
            .userInfo, with: algorithm, for: client, expiring: now + Self.verificationTime, at: now
        ) { writer in
            writer.member("iss", issuer.identifier)
            writer.member("aud", client.id)
            for (name, value) in claims {
                writer.name(name)
                writer.value(value)
            }
        }
        var fields = ResponseFields.neverStored
        fields[.contentType] = "application/jwt"
        return ServerResponse(status: .ok, headerFields: fields, body: .bytes(Array(token.text.utf8)))
    }

    /// The answer does not expire, but its key may retire; so long it stays published for whoever has just got it.
    private static let verificationTime = Duration.seconds(300)

    private func refuse(
        _ error: OAuthError, to request: ServerRequest, presentedBy scheme: BearerCredentials.Scheme = .bearer
    ) -> ServerResponse {
        report(error, to: request)
        return ResourceChallenges.response(
            for: error, presentedBy: scheme, scope: error.code == .insufficientScope ? Self.openID : nil)
    }

    private func report(_ error: OAuthError, to request: ServerRequest) {
        context.logger.refused("userinfo.refused", error, request)
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata[.userinfoEndpoint] = .string(metadata.issuer.url(of: path))
        metadata.append(contentsOf: SignatureAlgorithm.allCases.map(\.name), to: .userinfoSigningAlgorithms)
    }
}
