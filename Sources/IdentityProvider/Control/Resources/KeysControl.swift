import HTTPMessages
import JOSE
import OAuth
import Primitives

/// The keys that sign the tenant's tokens.
struct KeysControl: ControlResource {
    let context: ProviderContext

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/keys",
                .control("listKeys", "The keys, without what is secret of them.").answeringJSON(Self.schema),
                { _ in .json(list) }),
            ControlRoute(
                .post, "/keys/rotate",
                .control(
                    "rotateKeys", "Make a new key, which signs from now on.",
                    details: "The one before it stays published until the last token that it signed has expired."
                ).takingJSON(
                    .object([("alg", .string("That of access tokens, unless it is given.", oneOf: Self.algorithms))]),
                    isRequired: false
                ).answeringJSON(Self.schema).refusing((409, "There are too many keys.")), rotate),
            ControlRoute(
                .delete, "/keys/{kid}",
                .control(
                    "withdrawKey", "Take a key away at once.",
                    details:
                        "As after it was stolen: it is published no more, and no token that it signed is good here. If it signs, "
                        + "another signs in its place from now on. Who has read the published set before may trust it until "
                        + "he reads it again."
                ).with(.init("kid", in: .path, .string())).answeringJSON(Self.schema)
                    .refusing((404, "There is no such key."), (409, "It cannot be taken away now.")), withdraw),
        ]
    }

    static let algorithms = SignatureAlgorithm.allCases.map(\.rawValue)

    private static let schema = Schema.object(
        [
            (
                "keys",
                .array(
                    of: .object(
                        [
                            ("kid", .string()), ("alg", .string(oneOf: algorithms)),
                            ("role", .string(oneOf: ["active", "next", "retiring"])), ("created", .moment()),
                            ("active_from", .moment()), ("published_until", .moment()),
                            ("jwk", .anyObject("What is published; not there for a secret.")),
                        ], required: ["kid", "alg", "role", "created"]))
            )
        ], required: ["keys"])

    private var list: JSON {
        let keys = context.keyRing.state(at: context.clock.now()).keys
        return ["keys": .array(keys.map(Self.describe))]
    }

    private static func describe(_ entry: KeyRing.Entry) -> JSON {
        var object: JSONObject = [
            "kid": .string(entry.key.keyID), "alg": .string(entry.key.algorithm.name),
            "created": ControlTime.json(entry.created),
        ]
        switch entry.role {
        case .active: object["role"] = "active"
        case .next(let moment):
            object["role"] = "next"
            object["active_from"] = ControlTime.json(moment)
        case .retiring(let moment):
            object["role"] = "retiring"
            object["published_until"] = ControlTime.json(moment)
        }
        if let jwk = entry.key.jwk.json(.publicOnly) { object["jwk"] = jwk }
        return .object(object)
    }

    private func rotate(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let body = try request.optionalBody()
        try body.allow(["alg"])
        let algorithm =
            try body.choice("alg", of: SignatureAlgorithm.self) ?? context.configuration.accessTokens.algorithm
        do {
            try await context.keySupply.rotateKey(for: algorithm, of: context.keyRing, at: context.clock.now())
        } catch {
            throw ControlError(error, "there is no new key")
        }
        return .json(list)
    }

    private func withdraw(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let isWithdrawn: Bool
        do {
            isWithdrawn = try await context.keySupply.withdrawKey(
                request.parameter("kid"), of: context.keyRing, at: context.clock.now())
        } catch {
            throw ControlError(error, "the key could not be withdrawn")
        }
        guard isWithdrawn else { throw .notFound("there is no such key") }
        return .json(list)
    }
}
