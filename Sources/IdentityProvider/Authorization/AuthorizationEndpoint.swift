import HTTPMessages
import OAuth
import Primitives

/// Where clients send their users (RFC 6749 section 3.1, OpenID Connect Core section 3.1.2).
struct AuthorizationEndpoint: Endpoint {
    static let location = "/authorize"

    let path = AuthorizationEndpoint.location
    // OpenID Connect Core section 3.1.2.1: MUST support both.
    let methods: [HTTPRequest.Method] = [.get, .post]
    let isPublic = false
    let isForPeople = true

    let desk: InteractionDesk
    let reader: AuthorizationRequestReader

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        await desk.answer(request, as: issuer) { (visit: inout Visit) async throws(AuthorizationRefusal) in
            try await respond(&visit)
        }
    }

    private func respond(_ visit: inout Visit) async throws(AuthorizationRefusal) -> ServerResponse {
        let request = visit.request
        let form = try refusing(to: nil) { () throws(OAuthError) in try PageForm.parameters(of: request) }
        // Whoever is refused before the request is read reads why in its language all the same.
        visit.uiLocales = form["ui_locales"]
        let reading: AuthorizationRequestReader.Reading
        do throws(AuthorizationRefusal) {
            reading = try await reader.read(form, as: visit.issuer, at: visit.now)
        } catch {
            visit.uiLocales = error.uiLocales ?? visit.uiLocales
            throw error
        }
        visit.uiLocales = reading.request.uiLocales
        do throws(OAuthError) {
            return try await answer(reading, in: &visit)
        } catch {
            throw AuthorizationRefusal(error, to: reading.request.target)
        }
    }

    private func answer(
        _ reading: AuthorizationRequestReader.Reading, in visit: inout Visit
    ) async throws(OAuthError) -> ServerResponse {
        // What another site posts comes without our cookies (`SameSite=Lax`), so that nobody would be known. The user comes
        // back by a GET, and then they are there.
        guard visit.request.head.method != .post || !visit.session.isUnknown else {
            let id = try await desk.begin(.authorization(reading.request), isBound: false, in: &visit)
            return desk.redirect(to: ContinueEndpoint.location, id, visit)
        }
        var progress = Interaction.Progress()
        let step = try await desk.flow.next(reading.request, of: reading.client, &progress, in: &visit)
        // Most often nobody has to be asked, and nothing has to be remembered.
        if case .answer(let answer) = step { return answer.response(on: desk.pages, for: visit) }
        let id = try await desk.begin(.authorization(reading.request), progress, in: &visit)
        return desk.response(to: step, id, visit)
    }
}

extension BrowserSession {
    /// Whether the browser has shown nothing that we gave it.
    var isUnknown: Bool { secrets.isEmpty && accounts.isEmpty }
}
