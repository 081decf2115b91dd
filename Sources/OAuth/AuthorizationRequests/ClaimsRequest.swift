import Primitives

/// The `claims` parameter: which claims a client wants, and where (OpenID Connect Core section 5.5).
///
///     let request = try ClaimsRequest(parsing: #"{"id_token":{"auth_time":{"essential":true}}}"#)
///     request.idToken["auth_time"]?.isEssential                           // true
package struct ClaimsRequest: Hashable, Sendable {
    package let userinfo: ClaimRequests
    package let idToken: ClaimRequests

    package static let empty = Self(userinfo: ClaimRequests(), idToken: ClaimRequests())

    private init(userinfo: ClaimRequests, idToken: ClaimRequests) {
        self.userinfo = userinfo
        self.idToken = idToken
    }

    package init(parsing text: String) throws(OAuthError) {
        let json: JSON
        do {
            json = try JSON(parsing: text, limits: Self.limits)
        } catch { throw OAuthError(.invalidRequest, "claims is not JSON: \(error)") }
        try self.init(json)
    }

    /// From a request object, where it is JSON already. Members that nobody knows are ignored (section 5.5).
    package init(_ json: JSON) throws(OAuthError) {
        guard case .object(let members) = json else {
            throw OAuthError(.invalidRequest, "claims is a JSON object with userinfo and id_token")
        }
        userinfo = try ClaimRequests(members["userinfo"])
        idToken = try ClaimRequests(members["id_token"])
    }

    /// 8 KiB, 8 levels deep, 64 members of one object.
    private static let limits = JSONLimits(bytes: 8192, depth: 8, stringBytes: 1024, numberDigits: 32, members: 64)
}
