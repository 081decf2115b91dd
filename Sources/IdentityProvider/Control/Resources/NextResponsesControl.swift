import HTTPMessages
import OAuth
import Primitives

/// What the next answers of an endpoint are to be.
struct NextResponsesControl: ControlResource {
    let overrides: ResponseOverrides
    let endpoints: EndpointNames

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .post, "/next",
                .control(
                    "addNextResponse", "Choose the next answers of an endpoint.",
                    details: """
                        Claims and members change an answer that the endpoint makes. `status`, `headers`, `body` and `error` \
                        replace it. With `"when": "instead"`, which is meant wherever `status`, `body` or `error` is given, \
                        the endpoint does nothing; with `"after"` it does its work, a code is consumed, a refresh token \
                        spent, and its own answer is lost. Claims without an `endpoint` are for the next tokens, whether \
                        the token endpoint gives them or a redirect of the authorization endpoint does; `members` of \
                        `authorize` are the parameters of its next redirect that grants something, and `status` and `body` \
                        stand in the place of whatever it would have shown.
                        """
                ).takingJSON(Self.inputSchema).answering(201, "It waits.", .json(Self.schema))
                    .refusing((409, "There are too many.")), add),
            ControlRoute(
                .get, "/next",
                .control("listNextResponses", "What waits.").answeringJSON(
                    .object([("next", .array(of: Self.schema))], required: ["next"])),
                { _ in .json(["next": .array(overrides.waiting.map(\.json))]) }),
            ControlRoute(
                .delete, "/next", .control("deleteNextResponses", "None after all.").answeringNothing(),
                { _ in
                    overrides.removeAll()
                    return .none
                }),
            ControlRoute(
                .delete, "/next/{id}",
                .control("deleteNextResponse", "Not this one.").with(.init("id", in: .path, .string()))
                    .answeringNothing().refusing((404, "It is not there any more.")), remove),
        ]
    }

    private static let replacing = ["status", "headers", "body", "error", "error_description"]
    private static let changing = ["access_token_claims", "id_token_claims", "members"]

    private func add(_ request: ControlRequest) throws(ControlError) -> ControlAnswer {
        let body = try request.body()
        try body.allow(["endpoint", "client", "count", "when"] + Self.replacing + Self.changing)
        guard (Self.replacing + Self.changing).contains(where: { body.object[$0] != nil }) else {
            throw .invalid(
                nil, "nothing is chosen; there are \((Self.replacing + Self.changing).joined(separator: ", "))")
        }
        let endpoint = try endpoint(body)
        var override = ResponseOverride(endpoint: endpoint, clientID: try body.text("client"))
        override.tokens = try tokens(body, at: endpoint)
        override.replacement = try replacement(body, at: endpoint)
        // An answer is replaced at one endpoint; tokens that are changed may come from wherever tokens do.
        if override.replacement == nil, !body.has("endpoint") { override.endpoint = nil }
        if override.replacement?.moment == .instead, override.tokens != nil {
            throw .invalid(body.place["when"], "instead leaves no answer that could have claims and members")
        }
        let count = try body.number("count", in: 1...1_000_000) ?? 1
        guard let id = overrides.add(override, count: count),
            let waiting = overrides.waiting.first(where: { $0.id == id })
        else { throw .conflict("there are \(ResponseOverrides.maximumCount) of them, and no more are taken") }
        return .created(waiting.json)
    }

    /// By its path, or by its name in short.
    private func endpoint(_ body: ControlMembers) throws(ControlError) -> String {
        try endpoints.path(body, "endpoint") ?? TokenEndpoint.location
    }

    private func tokens(_ body: ControlMembers, at endpoint: String) throws(ControlError) -> TokenOverride? {
        guard ResponseOverride.givesTokens(endpoint) else { return try claimsInCookie(body, at: endpoint) }
        guard Self.changing.contains(where: body.has) else { return nil }
        var tokens = TokenOverride()
        tokens.accessTokenClaims = try body.object("access_token_claims")
        tokens.idTokenClaims = try body.object("id_token_claims")
        tokens.members = try body.object("members")
        return tokens
    }

    private func claimsInCookie(_ body: ControlMembers, at endpoint: String) throws(ControlError) -> TokenOverride? {
        guard !body.has("id_token_claims") else {
            throw .invalid(
                body.place["id_token_claims"],
                "is for the endpoints that give ID tokens: \(ResponseOverride.endpointsWithIDTokens)")
        }
        guard body.has("access_token_claims") else { return nil }
        guard ResponseOverride.givesAccessTokens(endpoint) else {
            throw .invalid(
                body.place["access_token_claims"],
                "is for the endpoints that give access tokens: \(ResponseOverride.endpointsWithAccessTokens)")
        }
        var tokens = TokenOverride()
        tokens.accessTokenClaims = try body.object("access_token_claims")
        return tokens
    }

    private func replacement(
        _ body: ControlMembers, at endpoint: String
    ) throws(ControlError) -> ResponseReplacement? {
        let changesMembers = !ResponseOverride.givesTokens(endpoint) && body.has("members")
        guard changesMembers || Self.replacing.contains(where: { body.object[$0] != nil }) else { return nil }
        var replacement = ResponseReplacement()
        if changesMembers { replacement.members = try body.object("members") }
        if let code = try body.number("status", in: ResponseReplacement.statusCodes) {
            replacement.status = HTTPResponse.Status(code: code, reasonPhrase: "")
        }
        try readBody(body, into: &replacement)
        for (name, value) in try body.object("headers") ?? [:] {
            replacement.fields.append(try field(name, value, at: body.place["headers"][name]))
        }
        let hasOwnAnswer = replacement.body != nil || replacement.status != nil
        replacement.moment =
            try body.choice("when", of: ResponseReplacement.Moment.self) ?? (hasOwnAnswer ? .instead : .after)
        guard replacement.moment == .after || hasOwnAnswer else {
            throw .invalid(body.place["when"], "instead of the endpoint's answer, status, body or error is needed")
        }
        return replacement
    }

    private func readBody(_ body: ControlMembers, into replacement: inout ResponseReplacement) throws(ControlError) {
        if let code = try body.text("error") {
            guard body.object["body"] == nil else { throw .invalid(body.place["body"], "is made from error") }
            var error: JSONObject = ["error": .string(code)]
            if let text = try body.text("error_description") { error["error_description"] = .string(text) }
            replacement.body = JSON.object(error).serialised()
            replacement.status = replacement.status ?? .badRequest
        } else if let content = body.object["body"] {
            // A text is sent as it is, so that a body can be broken; whatever else is JSON.
            replacement.body = content.string.map { Array($0.utf8) } ?? content.serialised()
        } else if try body.text("error_description") != nil {
            throw .invalid(body.place["error_description"], "belongs to error")
        }
    }

    private func field(_ name: String, _ value: JSON, at path: JSONPath) throws(ControlError) -> HTTPField {
        do throws(ResponseReplacement.UnusableField) {
            guard let text = value.string else { throw .malformed }
            return try ResponseReplacement.field(name, text)
        } catch {
            throw .invalid(path, error.rawValue)
        }
    }

    private func remove(_ request: ControlRequest) throws(ControlError) -> ControlAnswer {
        guard let id = Int(request.parameter("id")), overrides.remove(id) else {
            throw .notFound("it is not there any more")
        }
        return .none
    }
}
