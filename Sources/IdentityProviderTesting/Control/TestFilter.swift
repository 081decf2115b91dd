import HTTPMessages
import IdentityProvider

/// Which requests are meant; what is `nil` does not matter.
///
///     let refreshes = TestFilter(path: "/token", client: "web", grantType: "refresh_token")
public struct TestFilter: Hashable, Sendable {
    /// Below the issuer, `/token`, or a name in short: `token`. What is added for an endpoint that is not there throws.
    public var path: String?
    /// The client that the request names. It need not be there yet.
    public var client: String?
    /// `grant_type`.
    public var grantType: String?
    /// The family of the refresh token that it presents: ``TestSession/id``.
    public var family: String?
    /// Header fields that it has with these very values.
    public var headers: [String: String]

    /// Those that fit all that is given.
    ///
    ///     let everything = TestFilter()
    public init(
        path: String? = nil, client: String? = nil, grantType: String? = nil, family: String? = nil,
        headers: [String: String] = [:]
    ) {
        self.path = path
        self.client = client
        self.grantType = grantType
        self.family = family
        self.headers = headers
    }

    /// A filter that says what no request can have would be one that says nothing.
    func filter(among endpoints: EndpointNames) throws(IdentityProviderTestingError) -> PassageFilter {
        var filter = PassageFilter()
        filter.endpoint = try path.map { path throws(IdentityProviderTestingError) in
            try endpoints.requiredPath(path)
        }
        filter.clientID = client
        filter.grantType = grantType
        if let family {
            guard let id = FamilyID(family) else {
                throw IdentityProviderTestingError(.refused, "\(family) is the id of no session")
            }
            filter.family = id
        }
        for (name, value) in headers {
            guard let fieldName = HTTPField.Name(name) else {
                throw IdentityProviderTestingError(.refused, "\(name) is the name of no header field")
            }
            filter.fields.append(PassageFilter.Field(name: fieldName, value: value))
        }
        return filter
    }
}

extension EndpointNames {
    /// What is for an endpoint that is not there would wait for ever.
    func requiredPath(_ path: String) throws(IdentityProviderTestingError) -> String {
        do throws(Unknown) { return try self.path(of: path) } catch {
            throw IdentityProviderTestingError(.refused, "\(path): \(error)")
        }
    }
}
