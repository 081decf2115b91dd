import HTTPMessages
import OAuth
import Primitives

/// Who is logged in, which clients may act for him, and the end of it.
struct SessionsControl: ControlResource {
    let context: ProviderContext
    private let directory: SessionDirectory
    private let minting: DirectMinting

    init(context: ProviderContext) {
        self.context = context
        directory = SessionDirectory(context: context)
        minting = DirectMinting(context: context)
    }

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/sessions",
                .control(
                    "listSessions", "Logins, and what was authorised: the newest first.",
                    details:
                        "A family is one authorisation of one client by one user, with all tokens that follow from it. "
                        + "No token is in the answer."
                ).with(
                    .init("user", in: .query, .string(), "Those of this username."),
                    .init("client", in: .query, .string(), "Those of this client."),
                    .init("limit", in: .query, .integer(minimum: 1, maximum: SessionDirectory.maximumCount))
                ).answeringJSON(Self.schema).refusing((404, "There is no such user.")), list),
            ControlRoute(
                .post, "/sessions",
                .control(
                    "createSession", "Log a user in at a client without a browser.",
                    details:
                        "The answer is that of the token endpoint to a code. For tests of what comes after a login."
                ).takingJSON(
                    .object(
                        [
                            ("user", .string("A username.")), ("client", .string()),
                            ("scope", .string("What the client gets by default, unless it is given.")),
                            ("nonce", .string()), ("resources", .array(of: .url())),
                        ], required: ["user", "client"])
                ).answering(201, "The tokens.", .json(.reference("TokenResponse"))), create),
            ControlRoute(
                .delete, "/sessions",
                .control("endSessions", "End all of a user, of a client, or all there are.").with(
                    .init("user", in: .query, .string(), "Those of this username."),
                    .init("client", in: .query, .string(), "Those of this client.")
                ).answeringNothing().refusing((404, "There is no such user.")), endAll),
            ControlRoute(
                .delete, "/sessions/{id}",
                .control("endSession", "End a login with all that was authorised in it, or one family.").with(
                    .init("id", in: .path, .string(), "That of a login (`sid`) or of a family.")
                ).answeringNothing().refusing((404, "There is neither.")), end),
        ]
    }

    private func list(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let userID = try userID(request)
        let clientID = request.query["client"]
        let limit = try request.number("limit", in: 1...SessionDirectory.maximumCount) ?? 1000
        do throws(OAuthError) {
            let logins = try await directory.logins(limit: limit) { login in
                Self.fits(userID, login.userID)
                    && (clientID == nil || login.clientIDs.contains { Self.fits(clientID, $0) })
            }
            let families = try await directory.families(limit: limit) { family in
                Self.fits(userID, family.terms.userID) && Self.fits(clientID, family.terms.clientID)
            }
            return .json([
                "logins": .array(logins.map { $0.controlJSON(in: context) }),
                "families": .array(families.map { $0.controlJSON(in: context) }),
            ])
        } catch {
            throw ControlError(error)
        }
    }

    private static func fits(_ wanted: String?, _ text: String) -> Bool {
        wanted.map { sameText($0, text) } ?? true
    }

    private func userID(_ request: ControlRequest) throws(ControlError) -> String? {
        guard let username = request.query["user"] else { return nil }
        guard let user = context.users[username: username] else { throw .notFound("there is no such user") }
        return user.id
    }

    private func create(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let body = try request.body()
        try body.allow(["user", "client", "scope", "nonce", "resources"])
        var order = DirectMinting.Order(
            username: try body.requiredText("user"), clientID: try body.requiredText("client"),
            scope: try body.text("scope"))
        order.nonce = try body.text("nonce")
        order.resources = try body.texts("resources") ?? []
        let tokens: DirectMinting.Tokens
        do throws(DirectMintingError) {
            tokens = try await minting.tokens(order, as: request.issuer)
        } catch {
            switch error {
            case .unknownUser: throw .invalid(body.place["user"], "there is no such user")
            case .unknownClient: throw .invalid(body.place["client"], "there is no such client")
            case .badScope(let description): throw .invalid(body.place["scope"], description)
            case .refused(let error): throw ControlError(error)
            }
        }
        guard let json = try? JSON(parsing: tokens.body.span) else { preconditionFailure("a body that is no JSON") }
        return .created(json)
    }

    private func endAll(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let userID = try userID(request)
        let wantedClient = request.query["client"]
        do throws(OAuthError) {
            try await directory.endAll { user, client in
                // A login is of no client; it goes on when only one client's part of it is to end.
                guard let client else { return wantedClient == nil && Self.fits(userID, user) }
                return Self.fits(userID, user) && Self.fits(wantedClient, client)
            }
        } catch {
            throw ControlError(error)
        }
        return .none
    }

    private func end(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let wasThere: Bool
        do throws(OAuthError) {
            wasThere = try await directory.end(request.parameter("id"))
        } catch {
            throw ControlError(error)
        }
        guard wasThere else { throw .notFound("there is no login and no family of this name") }
        return .none
    }
}
