import HTTPMessages
import OAuth

/// A page that stands between a request and its answer: it is shown, and what the user does with it leads on.
protocol InteractionPage: Endpoint {
    var desk: InteractionDesk { get }

    /// Answers a `GET`.
    func show(
        _ open: OpenInteraction, in visit: inout Visit
    ) async throws(AuthorizationRefusal) -> ServerResponse

    /// Takes what the user sent by the form of the page, unless he wanted no more.
    func submit(
        _ form: FormParameters, of open: OpenInteraction, in visit: inout Visit
    ) async throws(AuthorizationRefusal) -> ServerResponse
}

extension InteractionPage {
    var methods: [HTTPRequest.Method] { [.get, .post] }
    var isPublic: Bool { false }
    var isForPeople: Bool { true }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        await desk.answer(request, as: issuer) { (visit: inout Visit) async throws(AuthorizationRefusal) in
            guard request.head.method == .post else {
                return try await show(try await desk.open(in: &visit), in: &visit)
            }
            let (form, open) = try await desk.submission(in: &visit)
            if form["cancel"] != nil { throw desk.cancel(open) }
            return try await submit(form, of: open, in: &visit)
        }
    }

    func advertise(in metadata: inout ServerMetadata) {}
}
