import HTTPMessages
import OAuth
import Primitives

/// The last requests of clients, to be looked at and waited for.
struct RequestsControl: ControlResource {
    let requests: RequestRecords

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/requests",
                .control(
                    "listRequests", "The last requests, the oldest first.",
                    details:
                        "With `wait`, the answer comes as soon as there is one that fits, or when the time is over. "
                        + "Parameters that may hold a secret are named with null for a value."
                ).with(
                    .init("client", in: .query, .string(), "Those that name this client."),
                    .init("path", in: .query, .string(), "Those to this path, such as `/token`."),
                    .init("family", in: .query, .string(), "Those that presented a refresh token of this family."),
                    .init("grant_type", in: .query, .string()), .init("user_agent", in: .query, .string()),
                    .init("status", in: .query, .integer(minimum: 100, maximum: 599)),
                    .init(
                        "verdict", in: .query, .string(oneOf: RefreshRecord.Verdict.allCases.map(\.rawValue)),
                        "Those whose refresh token got this."),
                    .init("since", in: .query, .integer(minimum: 0), "Those after the one with this number."),
                    .init("limit", in: .query, .integer(minimum: 1, maximum: 100_000), "The last so many."),
                    .init(
                        "wait", in: .query, .string(),
                        "How long to wait for one, such as `10s`; a minute at most. Without `since`, only what comes from "
                            + "now on counts.")
                ).answeringJSON(Self.schema).refusing((400, "A parameter of the query is wrong.")), list),
            ControlRoute(
                .delete, "/requests", .control("deleteRequests", "Forget them. The numbers go on.").answeringNothing(),
                { _ in
                    requests.removeAll()
                    return .none
                }),
        ]
    }

    private static let schema = Schema.object(
        [
            ("last", .integer("The number of the last request so far: `since` for the next question.")),
            ("requests", .array(of: .reference("RecordedRequest"))),
        ], required: ["last", "requests"])

    static let recordSchema = Schema.object(
        [
            ("id", .integer("Counts the requests of the tenant.")), ("request", .string("Its name in the log.")),
            ("time", .moment("By the clock of the tenant.")), ("method", .string()), ("path", .string()),
            ("status", .integer()), ("answered", .moment("When its answer was complete.")),
            ("client_id", .string("The client that it names, proven or not.")),
            ("grant_type", .string()), ("error", .string("That of the answer.")), ("user_agent", .string()),
            ("authorization", .string("The scheme of the credentials.")),
            ("parameters", .anyObject("Of the query and the form; null where there may be a secret.")),
            (
                "refresh",
                .object(
                    [
                        ("family", .string()),
                        ("node", .integer("The number of the refresh token that was presented.")),
                        (
                            "verdict",
                            Schema.string(oneOf: RefreshRecord.Verdict.allCases.map(\.rawValue)).orNull
                        ),
                        (
                            "cause",
                            Schema.string("Why it was refused, or accepted although it had been replaced.").orNull
                        ),
                        ("given", Schema.integer("The number of the refresh token in the answer.").orNull),
                    ], required: ["family", "node", "verdict", "cause", "given"])
            ),
        ], required: ["id", "request", "time", "answered", "method", "path", "status", "parameters"])

    private func filter(_ request: ControlRequest) throws(ControlError) -> RequestFilter {
        var filter = RequestFilter()
        filter.clientID = request.query["client"]
        filter.path = request.query["path"]
        if let text = request.query["family"] {
            guard let family = FamilyID(text) else {
                throw .invalid(nil, "family must be the identifier of a family, as /sessions lists them")
            }
            filter.family = family
        }
        filter.grantType = request.query["grant_type"]
        filter.userAgent = request.query["user_agent"]
        filter.status = try request.number("status", in: 100...599)
        if let name = request.query["verdict"] {
            guard let verdict = RefreshRecord.Verdict(rawValue: name) else {
                let names = RefreshRecord.Verdict.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid(nil, "verdict must be one of \(names)")
            }
            filter.verdict = verdict
        }
        filter.since = try request.number("since", in: 0...Int.max) ?? 0
        return filter
    }

    private func list(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        var filter = try filter(request)
        let limit = try request.number("limit", in: 1...RequestRecords.maximumCapacity)
        if let bound = try request.wait() {
            if request.query["since"] == nil { filter.since = requests.lastNumber }
            let wanted = filter
            _ = await requests.first(within: bound) { wanted.admits($0) }
        }
        let found = requests.records { filter.admits($0) }
        let shown = limit.map { found.suffix($0) } ?? found[...]
        return .json([
            "last": .number(JSONNumber(Int64(requests.lastNumber))), "requests": .array(shown.map(\.json)),
        ])
    }
}
