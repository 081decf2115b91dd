import HTTPMessages
import JOSE
import Primitives
import Testing

extension RelyingParty {
    /// In which way an access token is presented (RFC 6750 section 2).
    enum Presentation: Sendable { case get, postHeader, postBody }

    func requestUserInfo(_ token: String, by presentation: Presentation = .get) async -> Answer {
        switch presentation {
        case .get:
            await idp.get("/userinfo", [.authorization: "Bearer " + token])
        case .postHeader:
            await idp.respond(.post, "/userinfo", [.authorization: "Bearer " + token])
        case .postBody:
            await idp.respond(
                .post, "/userinfo", [.contentType: "application/x-www-form-urlencoded"],
                body: Array("access_token=\(token)".utf8))
        }
    }

    /// The claims of a positive answer (OpenID Connect Core section 5.3.2), about the user of the ID token.
    func userInfo(
        _ tokens: RelyingPartyTokens, by presentation: Presentation = .get,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSONObject {
        let answer = await requestUserInfo(tokens.accessToken, by: presentation)
        #expect(answer.status == 200, sourceLocation: sourceLocation)
        #expect(answer.field("Content-Type") == "application/json", sourceLocation: sourceLocation)
        #expect(answer.field("Cache-Control") == "no-store", sourceLocation: sourceLocation)
        let claims = try #require(answer.json?.object, sourceLocation: sourceLocation)
        #expect(claims["sub"] == tokens.claims["sub"], sourceLocation: sourceLocation)
        // Section 5.3.2: what is not there is left out, and neither null nor empty.
        for (name, value) in claims {
            #expect(value != .null && value != .string(""), "\(name)", sourceLocation: sourceLocation)
        }
        return claims
    }

    /// A token that is not good (any more) is refused as RFC 6750 section 3.1 says.
    func expectRefusal(_ token: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        let answer = await requestUserInfo(token)
        #expect(answer.status == 401, sourceLocation: sourceLocation)
        #expect(
            answer.field("WWW-Authenticate")?.contains("error=\"invalid_token\"") == true,
            sourceLocation: sourceLocation)
    }
}
