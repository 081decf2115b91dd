import OAuth

/// A client whose sessions may be in cookies.
struct SessionClient: Sendable {
    let client: Client
    let settings: CookieSessionSettings
    let origins: Set<WebOrigin>

    /// `nil` for any other client. One that has a secret, or that binds its tokens to a key, has none in cookies, whoever
    /// has configured it: a browser keeps no secret and signs no proof.
    init?(_ client: Client?) {
        guard let client, let settings = client.metadata.cookieSession, client.mayGoUnproven,
            !client.metadata.requiresDPoP, !client.metadata.requiresCertificateBinding
        else { return nil }
        self.client = client
        self.settings = settings
        origins = Set(settings.origins)
    }

    var id: String { client.id }
}
