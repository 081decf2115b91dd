import HTTPMessages
import OAuth
import Primitives

/// RFC 7592 section 2.
extension RegistrationEndpoint {
    /// Section 2.1.
    func read(_ request: ServerRequest, as issuer: PreparedIssuer) throws(RegistrationRefusal) -> ServerResponse {
        let token = try bearer(of: request)
        return response(about: try client(of: request, managedBy: token), managedBy: token, as: issuer, status: .ok)
    }

    /// Section 2.2: what is sent replaces all that was there.
    func update(_ request: ServerRequest, as issuer: PreparedIssuer) async throws(RegistrationRefusal) -> ServerResponse
    {
        let token = try bearer(of: request)
        var former = try client(of: request, managedBy: token)
        let json = try RegistrationBody.members(of: request)
        try Self.check(json, against: former)
        let metadata = try await metadata(json)
        while true {
            var (origin, secret) = (former.origin, former.secret?.value)
            if metadata.needsSecret, secret == nil, case .registered(let digest, let moment, _) = origin {
                let number = former.revision + 1
                origin = .registered(accessTokenDigest: digest, at: moment, secretNumber: number)
                secret = context.clientSecret(of: former.id, number: number)
            }
            let client = try await makeClient(former.id, metadata.needsSecret ? secret : nil, metadata, origin)
            if let client = context.clients.replace(former, by: client) {
                do throws(OAuthError) { try await context.updateRegistration(of: client) } catch {
                    throw .refused(error)
                }
                note("client.updated", client, request)
                return response(about: client, managedBy: token, as: issuer, status: .ok)
            }
            // Somebody was faster. Whoever comes last holds, unless the client is gone.
            former = try self.client(of: request, managedBy: token)
        }
    }

    /// Section 2.2: the request names the client that it is about, may repeat its secret but not choose one, and MUST NOT
    /// include what the provider alone says.
    private static func check(_ json: JSONObject, against client: Client) throws(RegistrationRefusal) {
        guard let id = json["client_id"]?.string, sameText(id, client.id) else {
            throw RegistrationRefusal(
                ClientMetadataError("must be there, and be that of the client", at: .root["client_id"]))
        }
        if let value = json["client_secret"], value != .null {
            guard let text = value.string, let secret = client.secret, secret.matches(Secret(utf8: text)) else {
                throw RegistrationRefusal(
                    ClientMetadataError("is not the one of the client; it cannot be chosen", at: .root["client_secret"])
                )
            }
        }
        for name in membersOfProvider where json[name] != nil {
            throw RegistrationRefusal(
                ClientMetadataError("is for the provider to say, and not to be sent", at: .root[name]))
        }
    }

    private static let membersOfProvider = [
        "registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at",
    ]

    /// Section 2.3: the client is no more, and with it all that it was given.
    func delete(_ request: ServerRequest) async throws(RegistrationRefusal) -> ServerResponse {
        let client = try client(of: request, managedBy: try bearer(of: request))
        // First the client, so that no more tokens come into being while the others end.
        context.clients.remove(client.id)
        do throws(OAuthError) { try await SessionDirectory(context: context).forget(clients: [client.id]) } catch {
            throw .refused(error)
        }
        note("client.deleted", client, request)
        var fields = ResponseFields.neverStored
        fields[.contentType] = nil
        return ServerResponse(status: .noContent, headerFields: fields)
    }

    /// The client that a request is about, and that its token manages. Sections 2.1 to 2.3: 401 for a token that is not
    /// good, and for a client that is not there; a client of the configuration is nobody's to manage. All look alike.
    private func client(of request: ServerRequest, managedBy token: String) throws(RegistrationRefusal) -> Client {
        let presented = TokenDigest(of: token)
        guard let id = request.query?["client_id"], let client = context.clients[id] else {
            throw .badToken(cause: "unknown client")
        }
        guard case .registered(let digest, _, _) = client.origin,
            constantTimeEquals(digest.bytes.span, presented.bytes.span)
        else { throw .badToken(cause: "wrong registration access token") }
        return client
    }
}
