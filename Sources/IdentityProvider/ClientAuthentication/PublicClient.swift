import OAuth

/// `none`: a public client says who it is and proves nothing (RFC 6749 section 3.2.1).
struct PublicClient: ClientAuthenticationMethod {
    let name = "none"

    func isUsed(by request: ClientRequest, in context: ProviderContext) -> Bool {
        request.clientWithoutCredentials(in: context).map { $0?.certificateMethod == nil } ?? false
    }

    func authenticate(_ request: ClientRequest, in context: ProviderContext) throws(OAuthError) -> Client {
        // RFC 6749 section 2.3: a confidential client is never served without its proof.
        guard let client = request.form["client_id"].flatMap({ context.client($0) }), client.mayGoUnproven else {
            throw OAuthError(
                .invalidClient, "unknown client, or one that has to authenticate", cause: "client did not authenticate")
        }
        return client
    }
}

extension Client {
    /// Whether its word is enough.
    var mayGoUnproven: Bool {
        origin == .assumed || (isPublic && [nil, "none"].contains(metadata.authenticationMethod))
    }
}

extension ClientRequest {
    /// The client that the request names and brings no credentials of: `nil` when it brings some or names none, and
    /// nobody when there is no such client.
    func clientWithoutCredentials(in context: ProviderContext) -> Client?? {
        guard authorization == nil, form["client_secret"] == nil, form["client_assertion"] == nil,
            form["client_assertion_type"] == nil, let id = form["client_id"]
        else { return nil }
        return .some(context.client(id))
    }
}
