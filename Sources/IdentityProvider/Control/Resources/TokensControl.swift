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
                            (
                                "type",
                                Schema.string("`typ` of the header, `at+jwt` unless it is given; null leaves it out.")
                                    .orNull
                            ),
                            ("alg", .string(oneOf: KeysControl.algorithms)),
                            ("kid", .string("A key of the tenant, also one that has retired.")),
                            (
                                "header",
                                .anyObject("Other parameters of the header; null leaves one out, `typ` and `kid` too.")
                            ),
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
        let signing = DirectSigning(context: context)
        let choice = try choice(body)
        let type = body.object["type"] == .null ? nil : try body.text("type") ?? "at+jwt"
        let header = try body.object("header") ?? [:]
        let isBroken = try body.choice("signature", of: Signature.self) == .broken
        do throws(DirectSigning.Failure) {
            let key = try await signing.key(choice)
            let token = try signing.sign(
                complete(claims, for: request), type: type, header: header, with: key, isBroken: isBroken)
            return .json(["token": .string(token), "kid": .string(key.keyID)])
        } catch {
            throw refusal(of: error, in: body)
        }
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

    private func choice(_ body: ControlMembers) throws(ControlError) -> DirectSigning.Choice {
        let algorithm = try body.choice("alg", of: SignatureAlgorithm.self)
        if try body.choice("key", of: Key.self) == .unpublished { return .unpublished(algorithm) }
        return try body.text("kid").map { .named($0, algorithm) } ?? .active(algorithm)
    }

    private func refusal(of failure: DirectSigning.Failure, in body: ControlMembers) -> ControlError {
        switch failure {
        case .unknownKey: .invalid(body.place["kid"], failure.description)
        case .keyIsFor, .noKey: .invalid(body.place["alg"], failure.description)
        case .supply(let error): ControlError(error, "nothing was signed")
        case .otherAlgorithm: .invalid(body.place["header"]["alg"], failure.description)
        case .badHeader: .invalid(body.place["header"], failure.description)
        }
    }
}
