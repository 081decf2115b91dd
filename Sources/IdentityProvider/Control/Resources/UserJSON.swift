import OAuth
import Primitives

extension User {
    static let controlMembers = ["username", "id", "password", "claims"]

    /// Reads a user.
    ///
    /// - Parameters:
    ///   - username: that of the path, if it is there; the body need not repeat it, and must not contradict it.
    ///   - former: whom he replaces. What is left out stays as it was; a password that is null is none.
    convenience init(
        _ members: ControlMembers, username: String? = nil, replacing former: User? = nil
    ) throws(ControlError) {
        try members.allow(Self.controlMembers)
        let named = try members.text("username")
        if let username, let named, !sameText(username, named) {
            throw .invalid(members.place["username"], "is not the user that the path names")
        }
        guard let username = username ?? named else {
            throw .invalid(members.place["username"], "must be there: a text")
        }
        let password = try members.text("password").map { Secret(utf8: $0) }
        let keepsPassword = members.object["password"] == nil
        do {
            try self.init(
                username: username, id: try members.text("id") ?? former?.id,
                password: password ?? (keepsPassword ? former?.password?.value : nil),
                claims: try members.object("claims") ?? former?.claims ?? [:])
        } catch let error as ProviderConfigurationError {
            let member = if case .badSubject = error { "id" } else { "username" }
            throw .invalid(members.place[member], error.description)
        } catch let error as ControlError {
            throw error
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Without the password.
    var controlJSON: JSON {
        [
            "username": .string(username), "id": .string(id), "has_password": .bool(password != nil),
            "claims": .object(claims),
        ]
    }

    static let controlSchema = Schema.object(
        [
            ("username", .string("What he types.")), ("id", .string("The `sub` of his tokens.")),
            ("has_password", .boolean("Without one, any password will do.")),
            ("claims", .anyObject("By the names of OpenID Connect Core section 5.1, and any others.")),
        ], required: ["username", "id", "has_password", "claims"])

    static let controlInputSchema = Schema.object(
        [
            ("username", .string()), ("id", .string("The `sub` of his tokens; the username, unless it is given.")),
            ("password", Schema.string("Null, or left out for a new user: any password will do.").orNull),
            ("claims", .anyObject()),
        ])
}
