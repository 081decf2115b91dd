import HTTPMessages
import Primitives

/// Claims for logins that are to come.
struct LoginClaimsControl: ControlResource {
    let nextLoginClaims: NextLoginClaims

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .put, "/logins/next-claims",
                .control(
                    "setNextLoginClaims", "Claims for the next login.",
                    details: "They go into every token that follows from that login, over those of the user."
                ).takingJSON(
                    .object(
                        [
                            ("user", .string("A username; without one, whoever logs in next.")),
                            ("claims", .anyObject("Empty: none after all.")),
                            ("count", .integer("For so many logins.", minimum: 1, maximum: 1_000_000)),
                        ], required: ["claims"])
                ).answeringJSON(Self.schema).refusing((409, "There are too many.")), set),
            ControlRoute(
                .get, "/logins/next-claims",
                .control("listNextLoginClaims", "The claims that wait for a login.").answeringJSON(Self.schema),
                { _ in .json(list) }),
            ControlRoute(
                .delete, "/logins/next-claims",
                .control("deleteNextLoginClaims", "None after all.").answeringNothing(),
                { _ in
                    nextLoginClaims.removeAll()
                    return .none
                }),
        ]
    }

    private static let schema = Schema.object(
        [
            (
                "waiting",
                .array(
                    of: .object(
                        [("user", Schema.string().orNull), ("claims", .anyObject()), ("remaining", .integer())],
                        required: ["user", "claims", "remaining"]))
            )
        ], required: ["waiting"])

    private var list: JSON {
        [
            "waiting": .array(
                nextLoginClaims.waiting.map { waiting in
                    [
                        "user": waiting.username.map { .string($0) } ?? .null, "claims": .object(waiting.claims),
                        "remaining": .number(JSONNumber(Int64(waiting.remaining))),
                    ]
                })
        ]
    }

    private func set(_ request: ControlRequest) throws(ControlError) -> ControlAnswer {
        let body = try request.body()
        try body.allow(["user", "claims", "count"])
        guard let claims = try body.object("claims") else {
            throw .invalid(body.place["claims"], "must be there: an object")
        }
        let count = try body.number("count", in: 1...1_000_000) ?? 1
        guard nextLoginClaims.set(claims, for: try body.text("user"), count: count) else {
            throw .conflict("there are \(NextLoginClaims.maximumCount) of them, and no more are taken")
        }
        return .json(list)
    }
}
