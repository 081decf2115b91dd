import HTTPMessages
import OAuth
import Primitives

/// RFC 7591 section 3.
extension RegistrationEndpoint {
    func register(_ request: ServerRequest, as issuer: PreparedIssuer) async throws(RegistrationRefusal)
        -> ServerResponse
    {
        try admit(request)
        let metadata = try await metadata(RegistrationBody.members(of: request))
        let token = makeRegistrationToken()
        let id = context.random.identifier()
        var client = try await makeClient(
            id, metadata.needsSecret ? context.clientSecret(of: id, number: 0) : nil, metadata,
            .registered(accessTokenDigest: TokenDigest(of: token), at: context.clock.now(), secretNumber: 0))
        do { client = try context.clients.add(client) } catch {
            throw .refused(OAuthError(.temporarilyUnavailable, error.description))
        }
        do throws(OAuthError) { try await context.keepRegistration(of: client) } catch { throw .refused(error) }
        note("client.registered", client, request)
        return response(about: client, managedBy: token, as: issuer, status: .created)
    }

    /// RFC 7591 section 3: an initial access token, where one is asked for.
    private func admit(_ request: ServerRequest) throws(RegistrationRefusal) {
        guard case .token(let initialToken) = context.configuration.registration else { return }
        guard initialToken.matches(Secret(utf8: try bearer(of: request))) else {
            throw .badToken(cause: "wrong initial access token")
        }
    }

    /// The token in the header.
    func bearer(of request: ServerRequest) throws(RegistrationRefusal) -> String {
        let token: ResourceToken?
        do { token = try ResourceToken.find(in: request, acceptsForm: false) } catch { throw .refused(error) }
        guard let token, token.scheme == .bearer else { throw .withoutToken }
        return token.text
    }

    /// Reads metadata, and what it says is elsewhere.
    func metadata(_ json: JSONObject) async throws(RegistrationRefusal) -> ClientMetadata {
        let metadata: ClientMetadata
        do {
            metadata = try ClientMetadata(json: json, by: rules)
            try await SectorCheck(outbound: context.outbound).check(metadata)
        } catch {
            throw RegistrationRefusal(error)
        }
        return metadata
    }

    /// A client whose tokens can be signed: with its first algorithm comes a key.
    func makeClient(
        _ id: String, _ secret: Secret?, _ metadata: ClientMetadata, _ origin: Client.Origin
    ) async throws(RegistrationRefusal) -> Client {
        let client: Client
        do { client = try Client(id: id, secret: secret, metadata: metadata, origin: origin) } catch {
            throw .refused(OAuthError(.invalidClientMetadata, error.description))
        }
        do throws(KeySupplyError) { try await context.prepareKeys(for: client.algorithms) } catch {
            throw .refused(
                OAuthError(
                    .temporarilyUnavailable, "a key for a new algorithm could not be made", cause: error.description))
        }
        return client
    }

    /// RFC 7591 section 3.2.1, RFC 7592 section 3: all that is registered, what the provider has added included.
    func response(
        about client: Client, managedBy token: String, as issuer: PreparedIssuer, status: HTTPResponse.Status
    ) -> ServerResponse {
        var json = client.registrationJSON
        // What the client has no say in is not told, so that it may send back all that it was told (RFC 7592 section 2.2).
        for member in ClientMetadataMember.all where member.isOperators { json[member.name] = nil }
        if let secret = client.secret {
            json["client_secret"] = .string(secret.value.text)
            // RFC 7591 section 3.2.1: 0 means that it does not expire.
            json["client_secret_expires_at"] = 0
        }
        json["registration_access_token"] = .string(token)
        // Identifiers that are made here need no encoding in a query.
        json["registration_client_uri"] = .string(issuer.issuer.url(of: path) + "?client_id=" + client.id)
        return ServerResponse(
            status: status, headerFields: ResponseFields.neverStored, body: .bytes(JSON.object(json).serialised()))
    }
}

extension Secret {
    /// For the one answer that tells a client its own.
    fileprivate var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}
