import OAuth
import Primitives

/// Turns what a client sent into a request that only the user still has to decide about.
struct AuthorizationRequestReader: Sendable {
    let context: ProviderContext
    let sources: [any AuthorizationParameterSource]

    /// A request and whose it is.
    struct Reading: Sendable {
        let request: AuthorizationRequest
        let client: Client
    }

    /// The request that came to the authorization endpoint.
    func read(
        _ form: FormParameters, as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(AuthorizationRefusal) -> Reading {
        let client = try refusing(to: nil) { () throws(OAuthError) in try self.client(of: form) }
        let (parameters, kind) = try await self.parameters(of: form, for: client, as: issuer, at: now)
        let request: AuthorizationRequest
        do throws(AuthorizationRefusal) {
            request = try read(parameters, of: client, as: issuer, at: now)
        } catch {
            var refusal = error
            refusal.uiLocales = parameters["ui_locales"]
            throw refusal
        }
        try refusing(to: request.target) { () throws(OAuthError) in try check(kind, suits: client) }
        return Reading(request: request, client: client)
    }

    /// The request, from parameters that are known to be the client's. RFC 9126 section 2.1: a pushed request is validated
    /// as the authorization endpoint would; this is how.
    func read(
        _ parameters: FormParameters, of client: Client, as issuer: PreparedIssuer, at now: Timestamp
    ) throws(AuthorizationRefusal) -> AuthorizationRequest {
        let target = try refusing(to: nil) { () throws(OAuthError) in try ResponseTarget(parameters, of: client) }
        return try refusing(to: target) { () throws(OAuthError) in
            try AuthorizationRequest(
                parameters, of: client, target: target, legacy: context.configuration.legacy,
                reaching: context.configuration.contextClasses
            ) { hint, prompt throws(OAuthError) in
                try hintedSubject(hint, of: client, prompt, as: issuer, at: now)
            }
        }
    }

    private func client(of form: FormParameters) throws(OAuthError) -> Client {
        guard !form.has(severalOf: "client_id") else {
            throw OAuthError(.invalidRequest, "client_id is there more than once")
        }
        guard let id = form["client_id"] else { throw OAuthError(.invalidRequest, "client_id is missing") }
        guard let client = context.client(id) else {
            throw OAuthError(.invalidRequest, "there is no client of this client_id", cause: "unknown client")
        }
        return client
    }

    private func parameters(
        of form: FormParameters, for client: Client, as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(AuthorizationRefusal) -> (FormParameters, AuthorizationParameterKind) {
        // A redirect URI that was named, and is the client's, hears of what is wrong with the rest.
        func target() -> ResponseTarget? { form["redirect_uri"] == nil ? nil : try? ResponseTarget(form, of: client) }
        for source in sources {
            let found: FormParameters?
            do throws(OAuthError) {
                found = try await source.parameters(of: form, for: client, as: issuer, at: now)
            } catch {
                throw AuthorizationRefusal(error, to: target())
            }
            guard let found else { continue }
            // RFC 9101 section 5, RFC 9126 section 4: both name the same client.
            guard found["client_id"].map({ sameText($0, client.id) }) ?? true else {
                throw AuthorizationRefusal(
                    OAuthError(.invalidRequest, "client_id names another client than the request it goes with"))
            }
            return (found, source.kind)
        }
        guard form["request"] == nil else {
            throw AuthorizationRefusal(
                OAuthError(.requestNotSupported, "request objects are not supported"), to: target())
        }
        guard form["request_uri"] == nil else {
            throw AuthorizationRefusal(
                OAuthError(.requestURINotSupported, "request_uri is not supported"), to: target())
        }
        return (form, .plain)
    }

    private func check(_ kind: AuthorizationParameterKind, suits client: Client) throws(OAuthError) {
        // RFC 9126 section 6.
        guard !client.metadata.requiresPushedRequests || kind == .pushed else {
            throw OAuthError(.invalidRequest, "this client is registered to push its authorization requests")
        }
        // RFC 9101 section 10.5. What was pushed was checked when it was.
        guard !client.metadata.requiresSignedRequestObjects || kind != .plain else {
            throw OAuthError(.invalidRequest, "this client is registered to sign its authorization requests")
        }
    }
}
