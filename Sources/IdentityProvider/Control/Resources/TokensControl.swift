import HTTPMessages
import JOSE
import OAuth
import Primitives

/// Signs whatever a test wants signed: tokens that are wrong in one way, to see whether a resource server notices. And takes
/// back what clients were given.
struct TokensControl: ControlResource {
    let context: ProviderContext

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .post, "/tokens",
                .control(
                    "signToken", "Sign a token with any claims.",
                    details:
                        "`iss`, `iat`, `exp` (five minutes on) and `jti` are added unless they are given; null leaves "
                        + "one out. Nothing is kept of the token."
                ).takingJSON(
                    .object(
                        [
                            ("claims", .anyObject()),
                            ("type", Schema.string("`typ` of the header; `at+jwt` unless it is given.").orNull),
                            ("alg", .string(oneOf: KeysControl.algorithms)),
                            ("kid", .string("A key of the tenant, also one that has retired.")),
                            ("header", .anyObject("Other parameters of the header.")),
                            (
                                "key",
                                .string(
                                    "`unpublished`: a fresh one that nobody knows.",
                                    oneOf: ["published", "unpublished"])
                            ),
                            ("signature", .string("`broken`: one bit of it is wrong.", oneOf: ["valid", "broken"])),
                        ], required: ["claims"])
                ).answeringJSON(
                    .object([("token", .string()), ("kid", .string())], required: ["token", "kid"]), "The token."), sign
            ),
            ControlRoute(
                .post, "/tokens/revoke",
                .control(
                    "revokeToken", "Revoke a token that a client was given.",
                    details:
                        "A refresh token ends its family with all that follows from it, whichever of the family it is; an "
                        + "access token ends alone."
                ).takingJSON(.object([("token", .string())], required: ["token"])).answeringJSON(
                    .object(
                        [
                            ("revoked", .string(oneOf: ["refresh_token", "access_token"])),
                            ("family", .string("What has ended with a refresh token.")),
                            ("jti", .string("Of an access token.")),
                        ], required: ["revoked"]), "What it was."
                ).refusing((404, "It is no token of the provider, or no good any more.")), revoke),
        ]
    }

    private enum Key: String, CaseIterable { case published, unpublished }
    private enum Signature: String, CaseIterable { case valid, broken }

    private func sign(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let body = try request.body()
        try body.allow(["claims", "type", "alg", "kid", "header", "key", "signature"])
        guard let claims = try body.object("claims") else {
            throw .invalid(body.place["claims"], "must be there: an object")
        }
        let key = try await key(for: body)
        var header: JSONObject = ["alg": .string(key.algorithm.name)]
        let type = body.object["type"] ?? "at+jwt"
        if type != .null { header["typ"] = .string(try body.text("type") ?? "at+jwt") }
        header["kid"] = .string(key.keyID)
        header.put(try body.object("header") ?? [:])
        guard header["alg"] == .string(key.algorithm.name) else {
            throw .invalid(body.place["header"]["alg"], "is chosen by alg")
        }
        let payload = JSON.object(complete(claims, for: request)).serialised()
        let token: String
        do {
            token = try JWSSigner(key: key, protected: header).compact(payload)
        } catch {
            throw .invalid(body.place["header"], "cannot be signed: \(error)")
        }
        let isBroken = try body.choice("signature", of: Signature.self) == .broken
        return .json([
            "token": .string(isBroken ? Self.broken(token) : token), "kid": .string(key.keyID),
        ])
    }

    private func revoke(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let body = try request.body()
        try body.allow(["token"])
        let token = try body.requiredText("token")
        let revoked: DirectRevocation.Revoked?
        do throws(OAuthError) {
            revoked = try await DirectRevocation(context: context).revoke(token)
        } catch {
            throw ControlError(error)
        }
        switch revoked {
        case .refreshToken(let family):
            return .json(["revoked": "refresh_token", "family": .string(family.description)])
        case .accessToken(let identifier):
            return .json(["revoked": "access_token", "jti": .string(identifier)])
        case nil: throw .notFound("it is no token of this provider, or no good any more")
        }
    }

    private func complete(_ claims: JSONObject, for request: ControlRequest) -> JSONObject {
        let now = context.clock.now()
        var complete: JSONObject = [
            "iss": .string(request.issuer.identifier), "iat": .number(JSONNumber(now.secondsSinceEpoch)),
            "exp": .number(JSONNumber(now.secondsSinceEpoch + 300)), "jti": .string(context.random.identifier()),
        ]
        complete.put(claims)
        return complete
    }

    private func key(for body: ControlMembers) async throws(ControlError) -> SigningKey {
        let algorithm = try body.choice("alg", of: SignatureAlgorithm.self)
        let now = context.clock.now()
        if try body.choice("key", of: Key.self) == .unpublished {
            let wanted = algorithm ?? context.configuration.accessTokens.algorithm
            do {
                let ring = try await context.keySupply.makeRing(for: [wanted], at: now)
                guard let entry = ring.state(at: now).keys.first else { throw KeySupplyError("no key was made") }
                return entry.key
            } catch {
                throw ControlError(OAuthError(.serverError, "the key could not be made", cause: "\(error)"))
            }
        }
        let keys = context.keyRing.state(at: now).keys
        if let keyID = try body.text("kid") {
            guard let entry = keys.first(where: { sameText($0.key.keyID, keyID) }) else {
                throw .invalid(body.place["kid"], "the tenant has no such key")
            }
            guard algorithm == nil || algorithm == entry.key.algorithm else {
                throw .invalid(body.place["alg"], "the key is for \(entry.key.algorithm)")
            }
            return entry.key
        }
        let wanted = algorithm ?? context.configuration.accessTokens.algorithm
        do { try await context.prepareKeys(for: [wanted]) } catch {
            throw ControlError(OAuthError(.serverError, "the key could not be made", cause: "\(error)"))
        }
        let state = context.keyRing.state(at: now)
        guard let index = state.activeIndex(of: wanted) else {
            throw .invalid(body.place["alg"], "there is no key for it")
        }
        return state.keys[index].key
    }

    /// The first character of the signature stands for six bits of it.
    private static func broken(_ token: String) -> String {
        guard let point = token.lastIndex(of: ".") else { return token }
        let first = token.index(after: point)
        return token[..<first] + (token[first] == "A" ? "B" : "A") + token[token.index(after: first)...]
    }
}
