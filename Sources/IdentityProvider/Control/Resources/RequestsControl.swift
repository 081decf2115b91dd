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

    static let longestWait = Duration.seconds(60)

    private static let schema = Schema.object(
        [
            ("last", .integer("The number of the last request so far: `since` for the next question.")),
            ("requests", .array(of: .reference("RecordedRequest"))),
        ], required: ["last", "requests"])

    static let recordSchema = Schema.object(
        [
            ("id", .integer("Counts the requests of the tenant.")), ("request", .string("Its name in the log.")),
            ("time", .moment("By the clock of the tenant.")), ("method", .string()), ("path", .string()),
            ("status", .integer()), ("client_id", .string("The client that it names, proven or not.")),
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
        ], required: ["id", "request", "time", "method", "path", "status", "parameters"])

    private func list(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        var filter = RequestFilter()
        filter.clientID = request.query["client"]
        filter.path = request.query["path"]
        filter.since = try request.number("since", in: 0...Int.max) ?? 0
        let limit = try request.number("limit", in: 1...RequestRecords.maximumCapacity)
        if let wait = request.query["wait"] {
            guard let bound = DurationText.read(wait), bound > .zero, bound <= Self.longestWait else {
                throw .invalid(nil, "wait must be a duration such as 10s, a minute at most")
            }
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
