/// Where claims about a user are written to.
package enum ClaimDestination: String, Hashable, Sendable, CaseIterable {
    case accessToken = "access_token"
    case idToken = "id_token"
    case userinfo
}
