import HTTPMessages
import OAuth
import Primitives

/// Those who can log in.
struct UsersControl: ControlResource {
    let context: ProviderContext

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/users",
                .control("listUsers", "The users.").answeringJSON(
                    .object([("users", .array(of: .reference("User")))], required: ["users"])),
                { _ in .json(["users": .array(context.users.users.map(\.controlJSON))]) }),
            ControlRoute(
                .get, "/users/{username}",
                .control("getUser", "One user.").with(Self.username).answeringJSON(.reference("User"))
                    .refusing((404, "There is no such user.")),
                { (request) throws(ControlError) in .json(try user(request).controlJSON) }),
            ControlRoute(
                .put, "/users/{username}",
                .control(
                    "putUser", "Add a user, or change one.",
                    details: "What is left out stays as it was. Passwords are never given back."
                ).with(Self.username).takingJSON(User.controlInputSchema).answeringJSON(.reference("User"))
                    .answering(201, "He is new.", .json(.reference("User")))
                    .refusing((409, "Another user has the subject.")), put),
            ControlRoute(
                .delete, "/users/{username}",
                .control("deleteUser", "Remove a user, and end what he has authorised.").with(Self.username)
                    .answeringNothing().refusing((404, "There is no such user.")), remove),
        ]
    }

    private static let username = OperationDescription.Parameter("username", in: .path)

    private func user(_ request: ControlRequest) throws(ControlError) -> User {
        guard let user = context.users[username: request.parameter("username")] else {
            throw .notFound("there is no such user")
        }
        return user
    }

    private func put(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let username = request.parameter("username")
        let body = try request.body()
        var formerID: String?
        let changed = try context.users.change(username) { (former) throws(ControlError) in
            formerID = former?.id
            return try User(body, username: username, replacing: former)
        }
        guard let changed else {
            throw .conflict("another user has the subject, or there are too many", at: body.place["id"])
        }
        // With another subject he is another user.
        if let formerID, !sameText(formerID, changed.user.id) { try await forget(formerID) }
        try await context.keepStaysOrFail()
        return changed.isNew ? .created(changed.user.controlJSON) : .json(changed.user.controlJSON)
    }

    private func remove(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        guard let user = context.users[username: request.parameter("username")] else {
            // What the store could not do when he was removed is done now.
            let wasUnfinished: Bool
            do throws(OAuthError) { wasUnfinished = try await sessions.finishForgetting() } catch {
                throw ControlError(error)
            }
            guard wasUnfinished else { throw .notFound("there is no such user") }
            return .none
        }
        context.users.remove(id: user.id)
        try await forget(user.id)
        try await context.keepStaysOrFail()
        return .none
    }

    private var sessions: SessionDirectory { SessionDirectory(context: context) }

    private func forget(_ id: String) async throws(ControlError) {
        do throws(OAuthError) { try await sessions.forget(users: [id]) } catch {
            throw ControlError(error)
        }
    }
}
