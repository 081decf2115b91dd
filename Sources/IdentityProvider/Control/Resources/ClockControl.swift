import HTTPMessages
import Primitives

/// The clock of the tenant: everything in it that has a time goes by it.
struct ClockControl: ControlResource {
    let clock: AdjustableClock

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/clock",
                .control("getClock", "What time it is for the provider.").answeringJSON(Self.schema),
                { _ in .json(json) }
            ),
            ControlRoute(
                .put, "/clock",
                .control("setClock", "Set the clock.").takingJSON(
                    .object(
                        [("now", Self.momentSchema), ("frozen", .boolean("Whether it stands still from then on."))])
                ).answeringJSON(Self.schema), set),
            ControlRoute(
                .post, "/clock/advance",
                .control("advanceClock", "Move the clock on, or back.", details: "One of the two members is given.")
                    .takingJSON(
                        .object(
                            [
                                ("seconds", .number("To the millisecond.")),
                                ("by", .string("Such as `90s`, `1h30m` or `-5m`.")),
                            ])
                    ).answeringJSON(Self.schema), advance),
            ControlRoute(
                .post, "/clock/freeze",
                .control("freezeClock", "Stop the clock.").answeringJSON(Self.schema),
                { _ in
                    clock.freeze()
                    return .json(json)
                }),
            ControlRoute(
                .post, "/clock/resume",
                .control("resumeClock", "Let it go on from where it was stopped.").answeringJSON(Self.schema),
                { _ in
                    clock.resume()
                    return .json(json)
                }),
            ControlRoute(
                .post, "/clock/reset",
                .control("resetClock", "Back to the time of the machine.").answeringJSON(Self.schema),
                { _ in
                    clock.reset()
                    return .json(json)
                }),
        ]
    }

    private static let momentSchema = Schema.any(
        of: [.string("RFC 3339, such as `2026-01-02T03:04:05.678Z`."), .number("Seconds since 1970.")])

    private static let schema = Schema.object(
        [
            ("now", .moment()), ("seconds", .number("Since 1970, to the millisecond.")),
            ("frozen", .boolean("Whether it stands still.")),
        ], required: ["now", "seconds", "frozen"])

    private var json: JSON { Self.json(clock.reading) }

    private static func json(_ reading: AdjustableClock.Reading) -> JSON {
        let moment = reading.moment
        return [
            "now": ControlTime.json(moment),
            "seconds": ControlTime.json(.milliseconds(moment.millisecondsSinceEpoch)),
            "frozen": .bool(reading.isFrozen),
        ]
    }

    private func set(_ request: ControlRequest) throws(ControlError) -> ControlAnswer {
        let body = try request.body()
        try body.allow(["now", "frozen"])
        let moment = try body.moment("now")
        let isFrozen = try body.flag("frozen")
        guard moment != nil || isFrozen != nil else {
            throw .invalid(body.place["now"], "must be there: \(ControlTime.momentHint)")
        }
        return .json(Self.json(clock.set(to: moment, isFrozen: isFrozen)))
    }

    private func advance(_ request: ControlRequest) throws(ControlError) -> ControlAnswer {
        let body = try request.body()
        try body.allow(["seconds", "by"])
        let given = [try body.duration("seconds"), try body.duration("by")].compactMap(\.self)
        guard given.count == 1 else {
            throw .invalid(body.place[given.isEmpty ? "seconds" : "by"], "one of seconds and by must be there")
        }
        // What RFC 3339 has no digits for nobody can set it to, nor move it to.
        let range = Timestamp(secondsSinceEpoch: 0)...Timestamp.endOfYear9999
        guard let reading = clock.advance(by: given[0], within: range) else {
            throw .invalid(body.place[body.has("by") ? "by" : "seconds"], "would lead out of the years 1970 to 9999")
        }
        return .json(Self.json(reading))
    }
}
