import HTTPMessages
import Primitives

/// What is to go wrong.
struct FaultsControl: ControlResource {
    let faults: Faults
    let endpoints: EndpointNames

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .post, "/faults",
                .control(
                    "addFault", "Have something go wrong.",
                    details: """
                        `fault` says what: `delay` (for `for`), `drop` (the connection is closed without an answer), `cut` (the \
                        answer ends after `bytes` of its content, or in the middle), `repeat` (it is sent twice), `status` (the \
                        answer is `status` without content), `store` (the store refuses the request whatever it asks). All \
                        but `store` leave the work done: what was spent is spent. `at` is the checkpoint where it happens; \
                        requests are counted where they pass it. `nth` is the first that suffers, `count` how many do.
                        """
                ).takingJSON(Self.inputSchema).answering(201, "It waits.", .json(Self.schema))
                    .refusing((409, "There are too many.")), add),
            ControlRoute(
                .get, "/faults",
                .control("listFaults", "The faults, and how often each has come true.").answeringJSON(
                    .object([("faults", .array(of: Self.schema))], required: ["faults"])),
                { _ in .json(["faults": .array(faults.entries.map(\.json))]) }),
            ControlRoute(
                .get, "/faults/{id}",
                .control("getFault", "One fault.").with(.init("id", in: .path, .string())).answeringJSON(Self.schema)
                    .refusing((404, "There is no such fault.")),
                { request throws(ControlError) in
                    guard let entry = Int(request.parameter("id")).flatMap(faults.entry) else { throw Self.unknown }
                    return .json(entry.json)
                }),
            ControlRoute(
                .delete, "/faults",
                .control("deleteFaults", "Nothing goes wrong any more.").answeringNothing(),
                { _ in
                    faults.removeAll()
                    return .none
                }),
            ControlRoute(
                .delete, "/faults/{id}",
                .control("deleteFault", "Not this one.").with(.init("id", in: .path, .string())).answeringNothing()
                    .refusing((404, "There is no such fault.")),
                { request throws(ControlError) in
                    guard let id = Int(request.parameter("id")), faults.remove(id) else { throw Self.unknown }
                    return .none
                }),
        ]
    }

    private static let unknown = ControlError.notFound("there is no such fault")

    private func add(_ request: ControlRequest) throws(ControlError) -> ControlAnswer {
        let body = try request.body()
        try body.allow(PassageFilter.members + ["fault", "at", "for", "bytes", "status", "nth", "count"])
        let effect = try effect(body)
        // Once the answer is made, neither a store nor a wait before its work can change it.
        let places = Checkpoint.holdable.filter { effect != .failingStore || $0 != .responseSending }
        var fault = Fault(
            effect, at: try body.checkpoint("at", among: places),
            for: try PassageFilter(body, endpoints: endpoints))
        fault.first = try body.number("nth", in: 1...Fault.maximumOccurrence) ?? 1
        fault.count = try body.number("count", in: 1...Fault.maximumOccurrence) ?? 1
        guard let id = faults.add(fault), let entry = faults.entry(id) else {
            throw .conflict("there are \(Faults.maximumCount) faults that wait, and no more are taken")
        }
        return .created(entry.json)
    }

    private func effect(_ body: ControlMembers) throws(ControlError) -> Fault.Effect {
        let name = try body.requiredText("fault")
        for (member, owner) in [("for", "delay"), ("bytes", "cut"), ("status", "status")]
        where body.has(member) && owner != name {
            throw .invalid(body.place[member], "belongs to the fault \(owner)")
        }
        switch name {
        case "delay":
            guard let duration = try body.duration("for"), duration > .zero, duration <= Fault.longestDelay else {
                throw .invalid(body.place["for"], "must be there: a duration such as 500ms, a minute at most")
            }
            return .delay(duration)
        case "drop": return .drop
        case "cut": return .cut(contentBytes: try body.number("bytes", in: 0...(1 << 20)))
        case "repeat": return .repeating
        case "status":
            guard let status = try body.number("status", in: 200...599) else {
                throw .invalid(body.place["status"], "must be there: a status from 200 to 599")
            }
            return .status(status)
        case "store": return .failingStore
        default:
            let near = Suggestion.nearest(to: name, among: Fault.Effect.names).map { "did you mean \($0)? " } ?? ""
            throw .invalid(
                body.place["fault"],
                "there is no such fault; \(near)there are \(Fault.Effect.names.joined(separator: ", "))")
        }
    }

    private static let inputSchema = Schema.object(
        joining: [[("fault", .string(oneOf: Fault.Effect.names))], PassageFilter.properties, particulars],
        required: ["fault"])

    private static let particulars: [(name: String, schema: Schema)] = [
        ("at", .string(oneOf: Checkpoint.holdable.map(\.rawValue))),
        ("for", .any(of: [.string("Such as `500ms`; a minute at most."), .number("Seconds.")])),
        ("bytes", .integer("Of the content, before it is cut.", minimum: 0)),
        ("status", .integer(minimum: 200, maximum: 599)),
        ("nth", .integer("The first request that suffers it.", minimum: 1, maximum: Fault.maximumOccurrence)),
        ("count", .integer("How many suffer it.", minimum: 1, maximum: Fault.maximumOccurrence)),
    ]

    private static let schema = Schema.object(
        joining: [
            [("id", .integer()), ("fault", .string(oneOf: Fault.Effect.names))], PassageFilter.properties, particulars,
            [
                ("seen", .integer("Requests that it was for.")), ("fired", .integer("Those that suffered it.")),
                ("spent", .boolean("Whether it happens no more.")),
            ],
        ], required: ["id", "fault", "at", "nth", "count", "seen", "fired", "spent"])
}

extension Faults.Entry {
    var json: JSON {
        var object: JSONObject = ["id": .number(JSONNumber(Int64(id))), "fault": .string(fault.effect.name)]
        object["at"] = .string(fault.at.rawValue)
        switch fault.effect {
        case .delay(let duration): object["for"] = ControlTime.json(duration)
        case .cut(let bytes?): object["bytes"] = .number(JSONNumber(Int64(bytes)))
        case .status(let status): object["status"] = .number(JSONNumber(Int64(status)))
        case .drop, .cut, .repeating, .failingStore: break
        }
        for (name, value) in fault.filter.json { object[name] = value }
        for (name, value) in [("nth", fault.first), ("count", fault.count), ("seen", seen), ("fired", fired)] {
            object[name] = .number(JSONNumber(Int64(value)))
        }
        object["spent"] = .bool(isSpent)
        return .object(object)
    }
}
