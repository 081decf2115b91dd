import HTTPMessages
import OAuth
import Primitives

/// Families with their refresh tokens as a tree.
struct FamiliesControl: ControlResource {
    let context: ProviderContext

    /// Families in one answer.
    static let maximumCount = 1000

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/families",
                Self.answering(
                    .control(
                        "listFamilies", "Families, the newest first, each with the tree of its refresh tokens.",
                        details: "As JSON, or as a graph by `format` or `Accept`."
                    ).with(
                        .init("login", in: .query, .string(), "Those of this login."),
                        .init("client", in: .query, .string()), .init("user", in: .query, .string(), "A username."),
                        .init("limit", in: .query, .integer(minimum: 1, maximum: Self.maximumCount)), Self.format),
                    .object([("families", .array(of: Self.schema))], required: ["families"])
                ).refusing((404, "There is no such user.")), list),
            ControlRoute(
                .get, "/families/{id}",
                Self.answering(
                    .control("getFamily", "A family, or all of a login.").with(
                        .init("id", in: .path, .string(), "Of a family, or of a login."), Self.format),
                    .object([("families", .array(of: Self.schema))], required: ["families"])
                ).refusing((404, "There is neither.")), show),
        ]
    }

    private static let format = OperationDescription.Parameter(
        "format", in: .query, .string(oneOf: FamilyGraph.Format.allCases.map(\.rawValue)))

    private static func answering(_ operation: OperationDescription, _ schema: Schema) -> OperationDescription {
        operation.answering(
            200, "What there is.",
            OperationDescription.Content([
                ("application/json", schema), (FamilyGraph.Format.dot.mediaType, .string()),
                (FamilyGraph.Format.mermaid.mediaType, .string()),
            ]))
    }

    private static let schema = Schema.object(
        [
            ("id", .string()), ("client", .string()), ("user_id", .string()), ("began", .moment()),
            ("live", .array(of: .integer(), "The numbers of the refresh tokens that are good.")),
            (
                "tokens",
                .array(
                    of: .object(
                        [
                            ("number", .integer(minimum: 1)),
                            ("state", .string(oneOf: FamilyTree.State.allCases.map(\.rawValue))),
                            (
                                "parent",
                                Schema.integer("The one that it replaced. Above 1, null: nobody remembers.").orNull
                            ),
                        ], required: ["number", "state", "parent"]))
            ), ("earlier", .integer("Tokens before those, all spent.")),
        ], required: ["id", "client", "user_id", "began", "live", "tokens", "earlier"], isOpen: true,
        "As /sessions lists it, and its refresh tokens.")

    private func list(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let format = try format(request)
        let limit = try request.number("limit", in: 1...Self.maximumCount) ?? Self.maximumCount
        var userID: String?
        if let username = request.query["user"] {
            guard let user = context.users[username: username] else { throw .notFound("there is no such user") }
            userID = user.id
        }
        let (clientID, login) = (request.query["client"], request.query["login"])
        let found = try await families(limit: limit) { [userID] family in
            Self.fits(userID, family.terms.userID) && Self.fits(clientID, family.terms.clientID)
                && Self.fits(login, family.terms.loginID?.text)
        }
        return answer(found, as: format)
    }

    private func show(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let format = try format(request)
        let id = request.parameter("id")
        if let familyID = FamilyID(id) {
            let found: Family?
            do throws(OAuthError) {
                found = try await context.storing { store throws(StoreError) in try await store.family(familyID) }
            } catch {
                throw ControlError(error)
            }
            if let found { return answer([found], as: format) }
        }
        let found = try await families(limit: Self.maximumCount) { Self.fits(id, $0.terms.loginID?.text) }
        guard !found.isEmpty else { throw .notFound("there is no family of this name, and no login that has any") }
        return answer(found, as: format)
    }

    private func families(
        limit: Int, where isWanted: @Sendable (Family) -> Bool
    ) async throws(ControlError) -> [Family] {
        do throws(OAuthError) {
            return try await SessionDirectory(context: context).families(limit: limit, where: isWanted)
        } catch {
            throw ControlError(error)
        }
    }

    private static func fits(_ wanted: String?, _ text: String?) -> Bool {
        wanted.map { wanted in text.map { sameText($0, wanted) } == true } ?? true
    }

    private func format(_ request: ControlRequest) throws(ControlError) -> FamilyGraph.Format {
        if let name = request.query["format"] {
            if let format = FamilyGraph.Format(rawValue: name) { return format }
            let names = FamilyGraph.Format.allCases.map(\.rawValue)
            let near = Suggestion.nearest(to: name, among: names).map { "did you mean \($0)? " } ?? ""
            throw .invalid(nil, "format: \(near)there are \(names.joined(separator: ", "))")
        }
        for format in [FamilyGraph.Format.dot, .mermaid]
        where request.accepts([format.mediaType], ratherThan: FamilyGraph.Format.json.mediaType) {
            return format
        }
        return .json
    }

    private func answer(_ families: [Family], as format: FamilyGraph.Format) -> ControlAnswer {
        let graph = FamilyGraph(families, in: context)
        switch format {
        case .json: return .json(["families": .array(families.map(json))])
        case .dot: return .content(format.mediaType, Array(graph.dot.utf8))
        case .mermaid: return .content(format.mediaType, Array(graph.mermaid.utf8))
        }
    }

    private func json(_ family: Family) -> JSON {
        let tree = FamilyTree(family, at: context.clock.now())
        var object = family.controlJSON(in: context).object ?? [:]
        object["live"] = .array(tree.live.map { .number(JSONNumber(Int64($0))) })
        object["earlier"] = .number(JSONNumber(Int64(tree.earlierCount)))
        object["tokens"] = .array(
            tree.nodes.map { node in
                [
                    "number": .number(JSONNumber(Int64(node.number))), "state": .string(node.state.rawValue),
                    "parent": node.parent.map { .number(JSONNumber(Int64($0))) } ?? .null,
                ]
            })
        return .object(object)
    }
}
