import OAuth
import Primitives

extension Login {
    func controlJSON(in context: ProviderContext) -> JSON {
        [
            "id": .string(id.text), "user": context.users.username(of: userID), "user_id": .string(userID),
            "authenticated_at": ControlTime.json(authentication.moment),
            "methods": .array(authentication.methods.map { .string($0) }),
            "clients": .array(clientIDs.map { .string($0) }), "claims": .object(claims),
            "expires": ControlTime.json(expires), "ended": ended?.json ?? .null,
        ]
    }
}

extension Family {
    func controlJSON(in context: ProviderContext) -> JSON {
        [
            "id": .string(id.description), "client": .string(terms.clientID),
            "user": context.users.username(of: terms.userID), "user_id": .string(terms.userID),
            "scope": .string(terms.scope.text), "resources": .array(terms.resources.map { .string($0) }),
            "login": terms.loginID.map { .string($0.text) } ?? .null, "ends_with_login": .bool(terms.endsWithLogin),
            "forked_from": terms.origin.map { .string($0.description) } ?? .null,
            "began": ControlTime.json(terms.began), "expires": ControlTime.json(terms.expires),
            "rotation": [
                "current": .number(JSONNumber(Int64(rotation.current))),
                "given": .number(JSONNumber(Int64(rotation.count))),
                "good": .array(rotation.leaves.map { .number(JSONNumber(Int64($0.node))) }),
                "rotated_at": ControlTime.json(rotation.rotatedAt),
                "last_used_at": ControlTime.json(rotation.lastUsedAt),
            ],
            "ended": ended?.json ?? .null,
        ]
    }
}

extension Family.Ending {
    fileprivate var json: JSON {
        [
            "reason": .string(reason.rawValue), "at": ControlTime.json(moment),
            "access_tokens": .bool(reach != .refreshTokens),
        ]
    }
}

extension UserDirectory {
    /// Null when he is not there any more.
    fileprivate func username(of id: String) -> JSON { self[id: id].map { .string($0.username) } ?? .null }
}

extension SessionsControl {
    static let schema = Schema.object(
        [
            (
                "logins",
                .array(
                    of: .object(
                        [
                            ("id", .string("`sid` of the tokens.")), ("user", Schema.string().orNull),
                            ("user_id", .string()), ("authenticated_at", .moment()),
                            ("methods", .array(of: .string(), "`amr`.")), ("clients", .array(of: .string())),
                            ("claims", .anyObject()), ("expires", .moment()), ("ended", ending),
                        ], required: ["id", "user", "user_id", "authenticated_at", "clients", "expires", "ended"]))
            ),
            (
                "families",
                .array(
                    of: .object(
                        [
                            ("id", .string()), ("client", .string()), ("user", Schema.string().orNull),
                            ("user_id", .string()), ("scope", .string()), ("resources", .array(of: .string())),
                            ("login", Schema.string().orNull), ("ends_with_login", .boolean),
                            ("forked_from", Schema.string("The family that it ends with.").orNull),
                            ("began", .moment()),
                            ("expires", Schema.moment().orNull),
                            (
                                "rotation",
                                .object(
                                    [
                                        ("current", .integer("The newest refresh token that is good; 0: none is.")),
                                        ("given", .integer("As many were given.")),
                                        ("good", .array(of: .integer("The number of a refresh token."))),
                                        ("rotated_at", Schema.moment().orNull),
                                        ("last_used_at", Schema.moment().orNull),
                                    ], required: ["current", "given", "good", "rotated_at", "last_used_at"])
                            ), ("ended", ending),
                        ], required: ["id", "client", "user", "user_id", "scope", "began", "rotation", "ended"]))
            ),
        ], required: ["logins", "families"])

    private static let ending = Schema.object(
        [
            ("reason", .string(oneOf: Family.Reason.allCases.map(\.rawValue))), ("at", .moment()),
            ("access_tokens", .boolean),
        ],
        required: ["reason", "at", "access_tokens"]
    ).orNull
}
