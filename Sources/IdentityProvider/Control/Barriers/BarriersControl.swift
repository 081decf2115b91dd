import HTTPMessages
import Primitives

/// Requests that wait for each other, and go on in a chosen order.
struct BarriersControl: ControlResource {
    let barriers: Barriers
    let endpoints: EndpointNames

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .post, "/barriers",
                .control(
                    "addBarrier", "Hold requests at a checkpoint until all are there.",
                    details: """
                        When `count` have come to `at`, they are let go one after the other: the next when the one before has \
                        passed `until`, or its request is over. `order` is that of `arrival`, the `reverse`, or by `client` or \
                        by `label`, the header field \(BarrierPlan.labelName.rawName); `sequence` names clients or labels in \
                        their order. After `timeout`, counted from the first arrival, all are let go at once, and the barrier \
                        says that it has timed out. A barrier is for one meeting.
                        """
                ).takingJSON(Self.inputSchema).answering(201, "It waits.", .json(Self.schema))
                    .refusing((409, "There are too many.")), add),
            ControlRoute(
                .get, "/barriers",
                .control("listBarriers", "The barriers, and who waits at them.").answeringJSON(
                    .object([("barriers", .array(of: Self.schema))], required: ["barriers"])),
                { _ in .json(["barriers": .array(barriers.all.map(\.json))]) }),
            ControlRoute(
                .get, "/barriers/{id}",
                .control(
                    "getBarrier", "One barrier.",
                    details: "With `wait`, the answer comes when it is over, or when `held` requests are there."
                ).with(
                    .init("id", in: .path, .string()),
                    .init("wait", in: .query, .string(), "How long at most, such as `10s`; a minute at most."),
                    .init("held", in: .query, .integer(minimum: 1, maximum: BarrierPlan.maximumCount))
                ).answeringJSON(Self.schema).refusing(
                    (404, "There is no such barrier."), (503, "Too many wait already.")), show),
            ControlRoute(
                .post, "/barriers/{id}/open",
                .control("openBarrier", "Let those go that are there, in their order.")
                    .with(.init("id", in: .path, .string())).answeringJSON(Self.schema)
                    .refusing((404, "There is no such barrier.")),
                { request throws(ControlError) in
                    let id = try id(request)
                    guard barriers.open(id), let barrier = barriers.barrier(id) else { throw Self.unknown }
                    return .json(barrier.json)
                }),
            ControlRoute(
                .delete, "/barriers",
                .control("deleteBarriers", "No barrier any more; whoever waits goes on.").answeringNothing(),
                { _ in
                    barriers.removeAll()
                    return .none
                }),
            ControlRoute(
                .delete, "/barriers/{id}",
                .control("deleteBarrier", "Not this one; whoever waits there goes on.")
                    .with(.init("id", in: .path, .string())).answeringNothing()
                    .refusing((404, "There is no such barrier.")),
                { request throws(ControlError) in
                    guard barriers.remove(try id(request)) else { throw Self.unknown }
                    return .none
                }),
        ]
    }

    private static let unknown = ControlError.notFound("there is no such barrier")

    private func id(_ request: ControlRequest) throws(ControlError) -> Int {
        guard let id = Int(request.parameter("id")) else { throw Self.unknown }
        return id
    }

    private func add(_ request: ControlRequest) throws(ControlError) -> ControlAnswer {
        let body = try request.body()
        try body.allow(PassageFilter.members + ["at", "count", "order", "sequence", "until", "timeout"])
        guard let at = try body.checkpoint("at", among: Checkpoint.holdable) else {
            throw .invalid(body.place["at"], "must be there: a checkpoint such as refresh.received")
        }
        let count = try body.number("count", in: 1...BarrierPlan.maximumCount) ?? 2
        var plan = BarrierPlan(at: at, count: count, for: try PassageFilter(body, endpoints: endpoints))
        if let until = try body.checkpoint("until", among: Checkpoint.allCases) {
            guard at.comes(before: until) else {
                throw .invalid(body.place["until"], "no request passes it after \(at.rawValue)")
            }
            plan.until = until
        }
        plan.order = try body.choice("order", of: BarrierPlan.Order.self) ?? .arrival
        plan.sequence = try body.texts("sequence") ?? []
        guard plan.sequence.isEmpty || plan.order == .client || plan.order == .label else {
            throw .invalid(body.place["sequence"], "belongs to the orders client and label")
        }
        guard plan.sequence.count <= BarrierPlan.maximumCount else {
            throw .invalid(body.place["sequence"], "at most \(BarrierPlan.maximumCount) names")
        }
        if let timeout = try body.duration("timeout") {
            guard timeout > .zero, timeout <= BarrierPlan.longestTimeout else {
                throw .invalid(body.place["timeout"], "must be more than nothing, and a minute at most")
            }
            plan.timeout = timeout
        }
        guard let id = barriers.add(plan), let barrier = barriers.barrier(id) else {
            throw .conflict("there are \(Barriers.maximumCount) barriers that wait, and no more are taken")
        }
        return .created(barrier.json)
    }

    private func show(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let id = try id(request)
        let held = try request.number("held", in: 1...BarrierPlan.maximumCount)
        let found: Barrier?
        if let bound = try request.wait() {
            let barriers = barriers
            found = try await request.whileClientWaits(forOneOf: Barriers.maximumWatcherCount) { () throws(NoRoom) in
                try await barriers.first(id, within: bound) { barrier in
                    held.map { barrier.held.count + barrier.released.count >= $0 } ?? false
                }
            }
        } else {
            found = barriers.barrier(id)
        }
        guard let found else { throw Self.unknown }
        return .json(found.json)
    }
}
