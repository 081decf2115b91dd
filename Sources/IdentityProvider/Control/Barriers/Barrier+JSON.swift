import Primitives

extension Barrier {
    var json: JSON {
        var object: JSONObject = [
            "id": .number(JSONNumber(Int64(id))), "state": .string(phase.rawValue), "at": .string(plan.at.rawValue),
            "until": .string(plan.until.rawValue), "count": .number(JSONNumber(Int64(plan.count))),
            "order": .string(plan.order.rawValue), "timeout": ControlTime.json(plan.timeout),
        ]
        for (name, value) in plan.filter.json { object[name] = value }
        if !plan.sequence.isEmpty { object["sequence"] = .array(plan.sequence.map { .string($0) }) }
        object["held"] = .array(held.map(\.json))
        object["released"] = .array(released.map(\.json))
        return .object(object)
    }
}

extension Barrier.Guest {
    var json: JSON {
        var object: JSONObject = ["request": .string(requestID)]
        if let clientID { object["client"] = .string(clientID) }
        if let label { object["label"] = .string(label) }
        return .object(object)
    }
}

extension BarriersControl {
    static let inputSchema = Schema.object(
        joining: [PassageFilter.properties, particulars], required: ["at"])

    private static let particulars: [(name: String, schema: Schema)] = [
        ("at", .string(oneOf: Checkpoint.holdable.map(\.rawValue))),
        ("until", .string(oneOf: Checkpoint.allCases.map(\.rawValue))),
        ("count", .integer(minimum: 1, maximum: BarrierPlan.maximumCount)),
        ("order", .string(oneOf: BarrierPlan.Order.allCases.map(\.rawValue))),
        ("sequence", .array(of: .string())),
        ("timeout", .any(of: [.string("Such as `10s`; a minute at most."), .number("Seconds.")])),
    ]

    static let schema = Schema.object(
        joining: [
            [("id", .integer()), ("state", .string(oneOf: Barrier.Phase.allCases.map(\.rawValue)))],
            PassageFilter.properties, particulars,
            [
                ("held", .array(of: guest, "Those that wait.")),
                ("released", .array(of: guest, "Those that were let go, in their order.")),
            ],
        ], required: ["id", "state", "at", "until", "count", "order", "timeout", "held", "released"])

    private static let guest = Schema.object(
        [("request", .string("Its name in the log.")), ("client", .string()), ("label", .string())],
        required: ["request"])
}
