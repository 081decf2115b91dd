import HTTPMessages
import OAuth
import Primitives

/// A protected resource to try a session with: it takes the cookie of the access token, or the token itself (RFC 6750).
struct SessionResourceEndpoint: SessionPath {
    static let location = SessionEndpoint.location + "/resource"

    let path = SessionResourceEndpoint.location
    let methods: [HTTPRequest.Method] = [.get]
    let desk: SessionDesk
    private let senders: ResourceSenderCheck

    init(desk: SessionDesk) {
        self.desk = desk
        senders = ResourceSenderCheck(context: desk.context)
    }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        await desk.answer(request, as: issuer) { visit async throws(OAuthError) in
            let presented = try ResourceToken.find(in: request, acceptsForm: false)
            let hasCookie = !visit.names.found(.access, in: request, of: request.query?["client_id"]).isEmpty
            switch (presented, hasCookie) {
            case (.some, true):
                throw OAuthError(
                    .ambiguousSession, "a token came in a cookie and another in the Authorization header; one is enough"
                )
            case (let presented?, false):
                return try await answer(presented, in: &visit)
            case (nil, _):
                guard let active = try await SessionAccess(desk: desk).token(ofCookieIn: &visit) else {
                    throw SessionAccess.noSession
                }
                return Self.content(active, presentedAs: "cookie")
            }
        }
    }

    private func answer(
        _ presented: ResourceToken, in visit: inout SessionVisit
    ) async throws(OAuthError) -> JSON {
        let found = try await desk.reader.active(presented.text, at: visit.now, notingIn: visit.trace)
        guard let active = found else {
            throw OAuthError(.invalidToken, "the access token is not good (any more)")
        }
        visit.client = desk.client(active.client.id)
        do throws(ResourceRefusal) {
            _ = try await senders.check(
                visit.request, presenting: ResourceSenderCheck.Presentation(presented.text, by: presented.scheme),
                boundTo: active.facts.confirmation, to: path, of: visit.issuer, at: visit.now)
        } catch {
            throw error.error
        }
        return Self.content(active, presentedAs: presented.scheme == .dpop ? "dpop" : "bearer")
    }

    private static func content(_ active: AccessTokenReader.Active, presentedAs way: String) -> JSON {
        [
            "message": "You may see this.", "sub": .string(active.facts.subject),
            "client_id": .string(active.client.id), "scope": .string(active.facts.scope.text),
            "presented_as": .string(way),
        ]
    }

    func describe(in document: inout OpenAPIDocument) {
        SessionDescriptions.describe(path, methods, in: &document)
    }
}
