import HTTPMessages
import JOSE
import OAuth
import Primitives

/// The parameters of a request that its client signed (RFC 9101, OpenID Connect Core section 6), by value or by reference.
///
/// Of RFC 9101 and OpenID Connect, which differ, the former holds: what stands outside of the object counts for nothing but
/// `client_id` (section 6.3), so that nobody can add to what was signed. Nothing else has to be repeated outside.
struct RequestObjectSource: AuthorizationParameterSource {
    let context: ProviderContext

    let kind = AuthorizationParameterKind.signedObject

    func parameters(
        of form: FormParameters, for client: Client, as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(OAuthError) -> FormParameters? {
        guard let text = try await object(of: form, for: client) else { return nil }
        let judge = RequestObjectJudge(context: context, client: client, issuer: issuer, now: now)
        return try await judge.parameters(of: text)
    }

    /// The object itself; `nil` when the request has none.
    private func object(of form: FormParameters, for client: Client) async throws(OAuthError) -> String? {
        guard let reference = form["request_uri"] else { return form["request"] }
        // RFC 9101 section 5: MUST NOT be used together.
        guard form["request"] == nil else {
            throw OAuthError(.invalidRequest, "request and request_uri exclude each other")
        }
        guard canFetch else { return nil }
        return try await fetch(reference, for: client)
    }

    private var canFetch: Bool { !(context.outbound is NoOutboundRequests) }

    /// RFC 9101 section 10.4: the provider asks no server that the client has not registered, or anybody could send it
    /// anywhere.
    private func fetch(_ reference: String, for client: Client) async throws(OAuthError) -> String {
        guard client.metadata.requestURIs.contains(where: { sameText($0, reference) }) else {
            throw OAuthError(.invalidRequestURI, "the client has not registered this request_uri")
        }
        guard let request = HTTPRequest(getting: reference, accepting: "application/oauth-authz-req+jwt") else {
            throw OAuthError(.invalidRequestURI, "the request_uri is no plain http or https URL")
        }
        let response: HTTPResponse
        let body: [UInt8]
        do throws(OutboundFailure) {
            (response, body) = try await context.outbound.send(request, body: [])
        } catch {
            throw OAuthError(.invalidRequestURI, "the request_uri was not answered", cause: error.description)
        }
        guard response.status == .ok, body.count <= JWSLimits.token.objectBytes else {
            throw OAuthError(
                .invalidRequestURI, "there is no request object at the request_uri",
                cause: "it answered \(response.status.code) with \(body.count) bytes")
        }
        return String(decoding: body, as: UTF8.self)
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata[.requestParameterSupported] = true
        metadata[.requestURIParameterSupported] = .bool(canFetch)
        if canFetch { metadata[.requireRequestURIRegistration] = true }
        metadata.append(contentsOf: SignatureAlgorithm.allCases.map(\.name), to: .requestObjectSigningAlgorithms)
    }
}
