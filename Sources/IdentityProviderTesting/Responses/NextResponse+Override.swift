import HTTPMessages
import IdentityProvider
import Primitives

extension TestIdentityProvider {
    /// Chooses the next `count` answers of an endpoint, by its path or its name in short (`userinfo`), perhaps of one client's
    /// requests alone. Without a path, claims and members are for the next tokens, whether the token endpoint gives them or a
    /// redirect does, and anything else for the token endpoint. The number is for taking it back. It throws what no answer
    /// could ever be: at a path where there is no endpoint, with claims where there are no tokens, with a header field that
    /// is none, with nothing to change; and when 10,000 wait. A client need not be there yet.
    ///
    ///     try idp.answerNext(.error("temporarily_unavailable", status: 503), count: 2)
    ///     try idp.answerNext(.body("{}"), at: "/userinfo")
    ///     try idp.answerNext(.changing(members: ["sub": "somebody-else"]), at: "/userinfo")
    ///     try idp.answerNext(.changing(members: ["state": "wrong"]), at: "/authorize")
    @discardableResult
    public func answerNext(
        _ response: NextResponse, at path: String? = nil, client: String? = nil, count: Int = 1
    ) throws(IdentityProviderTestingError) -> Int {
        let endpoint = try path.map { path throws(IdentityProviderTestingError) in
            try tenant.endpointNames.requiredPath(path)
        }
        guard count > 0 else { throw IdentityProviderTestingError(.refused, "count begins with 1") }
        let override = try response.override(at: endpoint, for: client)
        guard let number = context.overrides.add(override, count: count) else {
            throw IdentityProviderTestingError(
                .refused, "there are \(ResponseOverrides.maximumCount) answers that wait, and no more are taken")
        }
        return number
    }
}

extension NextResponse {
    fileprivate func override(
        at endpoint: String?, for client: String?
    ) throws(IdentityProviderTestingError) -> ResponseOverride {
        var override = ResponseOverride(endpoint: endpoint, clientID: client)
        switch content {
        case .changed(let tokens):
            guard tokens.changesClaims || tokens.changesMembers else {
                throw IdentityProviderTestingError(.refused, "there are neither claims nor members to change")
            }
            guard let endpoint, !ResponseOverride.givesTokens(endpoint) else {
                override.tokens = tokens
                return override
            }
            override.tokens = try tokens.claimsInCookie(at: endpoint)
            if tokens.changesMembers {
                var replacement = ResponseReplacement()
                replacement.members = tokens.members
                override.replacement = replacement
            }
        case .replaced(let answer):
            override.replacement = try answer.replacement()
        }
        return override
    }
}

extension TokenOverride {
    fileprivate var changesMembers: Bool { members?.isEmpty == false }

    /// Elsewhere there are no tokens in the answer, and an access token in a cookie perhaps.
    fileprivate func claimsInCookie(at endpoint: String) throws(IdentityProviderTestingError) -> TokenOverride? {
        guard idTokenClaims?.isEmpty != false else {
            throw IdentityProviderTestingError(
                .refused, "\(endpoint) gives no ID token; there are \(ResponseOverride.endpointsWithIDTokens)")
        }
        guard accessTokenClaims?.isEmpty == false else { return nil }
        guard ResponseOverride.givesAccessTokens(endpoint) else {
            throw IdentityProviderTestingError(
                .refused, "\(endpoint) gives no access token; there are \(ResponseOverride.endpointsWithAccessTokens)")
        }
        var claims = TokenOverride()
        claims.accessTokenClaims = accessTokenClaims
        return claims
    }
}

extension NextResponse.Answer {
    fileprivate func replacement() throws(IdentityProviderTestingError) -> ResponseReplacement {
        var replacement = ResponseReplacement()
        replacement.moment = moment == .instead ? .instead : .after
        guard ResponseReplacement.statusCodes.contains(status) else {
            throw IdentityProviderTestingError(.refused, "a status is from 200 to 599")
        }
        replacement.status = HTTPResponse.Status(code: status, reasonPhrase: "")
        replacement.body = Array(body.utf8)
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            do throws(ResponseReplacement.UnusableField) {
                replacement.fields.append(try ResponseReplacement.field(name, value))
            } catch {
                throw IdentityProviderTestingError(.refused, "the header field \(name) \(error.rawValue)")
            }
        }
        return replacement
    }
}
