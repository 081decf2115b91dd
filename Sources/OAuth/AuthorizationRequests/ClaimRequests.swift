import Primitives

/// The claims that a request wants in one place, in the order in which it names them.
package struct ClaimRequests: Hashable, Sendable {
    package let claims: [ClaimRequest]

    package init() { claims = [] }

    init(_ json: JSON?) throws(OAuthError) {
        guard let json else {
            claims = []
            return
        }
        guard case .object(let members) = json else {
            throw OAuthError(.invalidRequest, "claims: userinfo and id_token are objects")
        }
        guard members.count <= Self.maximumCount else {
            throw OAuthError(.invalidRequest, "claims: more than \(Self.maximumCount) claims")
        }
        var claims: [ClaimRequest] = []
        for (name, request) in members { claims.append(try ClaimRequest(name: name, request)) }
        self.claims = claims
    }

    package static let maximumCount = 64

    package var isEmpty: Bool { claims.isEmpty }

    package subscript(name: String) -> ClaimRequest? { claims.first { sameText($0.name, name) } }
}
