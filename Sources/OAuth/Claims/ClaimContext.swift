import Primitives

/// What the rules for claims may look at: who asked for what, on whose behalf.
package struct ClaimContext: Sendable {
    package let destination: ClaimDestination
    package let tenant: String
    package let grant: String
    package let scope: Scope
    /// The identifier of the client.
    package let client: String
    /// What `{client.…}` reads; `{client.id}` is always the identifier.
    package let clientProperties: JSONObject
    /// The name under which the configuration knows the user; nil where a client acts for itself.
    package let user: String?
    /// What `{user.…}` reads.
    package let userClaims: JSONObject
    /// What `{request.…}` reads: parameters of the token request.
    package let request: FormParameters

    package init(
        destination: ClaimDestination, tenant: String, grant: String, scope: Scope, client: String,
        clientProperties: JSONObject = [:], user: String? = nil, userClaims: JSONObject = [:],
        request: FormParameters = FormParameters()
    ) {
        self.destination = destination
        self.tenant = tenant
        self.grant = grant
        self.scope = scope
        self.client = client
        self.clientProperties = clientProperties
        self.user = user
        self.userClaims = userClaims
        self.request = request
    }
}
