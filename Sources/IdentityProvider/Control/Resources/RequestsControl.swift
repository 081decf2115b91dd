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
                    .init(
                        "family", in: .query, .string(),
                        "Those that were about this family: `families` of the answer."
                    ),
                    .init(
                        "login", in: .query, .string(), "Those that ended this login: `logins` of the answer."),
                    .init("grant_type", in: .query, .string()), .init("user_agent", in: .query, .string()),
                    .init(
                        "label", in: .query, .string(), "Those with this \(BarrierPlan.labelName.rawName)."),
                    .init("status", in: .query, .integer(minimum: 100, maximum: 599)),
                    .init(
                        "verdict", in: .query, .string(oneOf: RefreshRecord.Verdict.allCases.map(\.rawValue)),
                        "Those whose refresh token got this."),
                    .init("since", in: .query, .integer(minimum: 0), "Those after the one with this number."),
                    .init(
                        "limit", in: .query, .integer(minimum: 1, maximum: 100_000),
                        "The last so many; with `since` or `wait` the first."),
                    .init(
                        "wait", in: .query, .string(),
                        "How long to wait for one, such as `10s`; a minute at most. Without `since`, only what comes from "
                            + "now on counts.")
                ).answeringJSON(Self.schema).refusing((503, "Too many wait already.")), list),
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
            ("last", .integer("The number of the last request that was looked at: `since` for the next question.")),
            ("requests", .array(of: .reference("RecordedRequest"))),
        ], required: ["last", "requests"])

    static let recordSchema = Schema.object(
        [
            ("id", .integer("Counts the requests of the tenant.")), ("request", .string("Its name in the log.")),
            ("time", .moment("By the clock of the tenant.")), ("method", .string()), ("path", .string()),
            ("status", .integer()), ("answered", .moment("When its answer was complete.")),
            ("duration_ms", .integer("How long that took, whatever the clock of the tenant says.")),
            ("client_id", .string("The client that it names, be it by cookies or an ID token, proven or not.")),
            ("grant_type", .string()), ("error", .string("That of the answer.")), ("user_agent", .string()),
            ("authorization", .string(oneOf: ["Basic", "Bearer", "DPoP", "other"])),
            ("parameters", .anyObject("Of the query and the form; null where there may be a secret.")),
            ("label", .string("What it called itself: \(BarrierPlan.labelName.rawName).")),
            (
                "faults",
                .array(
                    of: .string(oneOf: Fault.Effect.names),
                    "What it has suffered. `status` is that of the answer as it was made, be it that it was dropped.")
            ), ("barriers", .array(of: BarrierMeeting.schema, "Where it was held, and why it went on.")),
            (
                "families",
                .array(
                    of: .string(),
                    "What it was about: the family of the refresh token or of a replayed code, those that it began, and "
                        + "that of an access token that it brought, be it that it had expired or been revoked. Of sessions in cookies also those that it "
                        + "forked or ended.")
            ),
            (
                "logins",
                .array(
                    of: .string(),
                    "The logins that it ended, and the families that end with them. `/families?login=` lists those of one."
                )
            ),
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
        ], required: ["id", "request", "time", "answered", "duration_ms", "method", "path", "status", "parameters"])

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
        filter.login = request.query["login"].map { LoginID($0) }
        filter.grantType = request.query["grant_type"]
        filter.userAgent = request.query["user_agent"]
        filter.label = request.query["label"]
        filter.status = try request.number("status", in: 100...599)
        if let name = request.query["verdict"] {
            guard let verdict = RefreshRecord.Verdict(rawValue: name) else {
                let names = RefreshRecord.Verdict.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid(nil, "verdict must be one of \(names)")
            }
            filter.verdict = verdict
        }
        return filter
    }

    private func list(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let filter = try filter(request)
        let limit = try request.number("limit", in: 1...RequestRecords.maximumCapacity)
        var since = try request.number("since", in: 0...Int.max)
        if let bound = try request.wait() {
            let begin = since ?? requests.lastNumber
            since = begin
            let requests = requests
            _ = try await request.whileClientWaits(forOneOf: RequestRecords.maximumWaiterCount) { () throws(NoRoom) in
                try await requests.first(within: bound) { $0.number > begin && filter.admits($0) }
            }
        }
        let page =
            since.map { requests.page(after: $0, limit: limit, where: filter.admits) }
            ?? requests.lastPage(limit: limit, where: filter.admits)
        return .json([
            "last": .number(JSONNumber(Int64(page.last))), "requests": .array(page.records.map(\.json)),
        ])
    }
}
