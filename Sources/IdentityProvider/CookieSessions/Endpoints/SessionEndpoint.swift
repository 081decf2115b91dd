import HTTPMessages
import OAuth
import Primitives

/// Begins a session in cookies, tells of it, and ends it.
///
///     curl -c jar -d username=alice -d password=alice http://localhost:8080/session
///     curl -b jar http://localhost:8080/session
struct SessionEndpoint: SessionPath {
    static let location = "/session"

    let path = SessionEndpoint.location
    let methods: [HTTPRequest.Method] = [.get, .post, .delete]
    let desk: SessionDesk
    let codes: AuthorizationCodeGrant
    let passwords: PasswordSignIn

    init(desk: SessionDesk) {
        self.desk = desk
        codes = AuthorizationCodeGrant(context: desk.context, minter: desk.minter)
        passwords = PasswordSignIn(context: desk.context, minter: desk.minter)
    }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        await desk.answer(request, as: issuer) { visit async throws(OAuthError) in
            switch request.head.method {
            case .post: try await begin(in: &visit)
            case .delete: try await end(in: &visit)
            default: try await tell(in: &visit)
            }
        }
    }

    /// Who it is, and until when.
    private func tell(in visit: inout SessionVisit) async throws(OAuthError) -> JSON {
        let active = try await SessionAccess(desk: desk).token(ofCookieIn: &visit)
        guard let active else { throw SessionAccess.noSession }
        guard let family = active.family, let client = visit.client?.client else { throw SessionAccess.over }
        return SessionFacts(
            client: client, terms: family.terms, scope: active.facts.scope, expires: active.facts.expires
        ).json(in: desk.context, at: visit.now)
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata[.cookieSessionEndpoint] = .string(metadata.issuer.url(of: path))
    }

    func describe(in document: inout OpenAPIDocument) {
        SessionDescriptions.describe(path, methods, in: &document)
    }
}

extension ServerMetadata.Member {
    /// No standard has a name for it.
    static let cookieSessionEndpoint = Self("cookie_session_endpoint")
}
