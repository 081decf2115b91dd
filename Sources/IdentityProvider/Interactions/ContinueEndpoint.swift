import HTTPMessages
import OAuth

/// Goes on with what another site has posted (see `AuthorizationEndpoint`), in the browser that comes first.
struct ContinueEndpoint: Endpoint {
    static let location = "/continue"

    let path = ContinueEndpoint.location
    let methods: [HTTPRequest.Method] = [.get]
    let isPublic = false
    let isForPeople = true

    let desk: InteractionDesk

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        await desk.answer(request, as: issuer) { (visit: inout Visit) async throws(AuthorizationRefusal) in
            let form = try refusing(to: nil) { () throws(OAuthError) in try PageForm.parameters(of: request) }
            _ = visit.session.secret(from: desk.context.random)
            let open = try await desk.open(form, in: &visit)
            return try await desk.proceed(open, in: &visit)
        }
    }

    func advertise(in metadata: inout ServerMetadata) {}
}
