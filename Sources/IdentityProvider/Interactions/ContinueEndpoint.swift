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
            _ = visit.session.secret(from: desk.context.random)
            return try await desk.proceed(try await desk.open(in: &visit), in: &visit)
        }
    }

    func advertise(in metadata: inout ServerMetadata) {}
}
