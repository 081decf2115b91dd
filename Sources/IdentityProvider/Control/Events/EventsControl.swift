import HTTPMessages
import Primitives

/// What happens, as it happens: a stream of server-sent events (HTML, section 9.2), or JSON for whoever asks now and then.
struct EventsControl: ControlResource {
    let events: EventLog

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/events",
                .control(
                    "streamEvents", "What happens, as it happens.",
                    details: """
                        A stream of server-sent events: `event` is the kind, `data` an object, `id` a number that \
                        `Last-Event-ID` takes, to go on after it with what is kept of the last \(EventLog.capacity). What a \
                        reader was too slow for is counted in `events.lost`. Nothing is recorded before the first reader has \
                        come. With `Accept: application/json`, those after `after` are the answer, and `wait` waits for one.
                        """
                ).with(
                    .init("kind", in: .query, .string(), "Kinds, or their families (`refresh`), separated by commas."),
                    .init("client", in: .query, .string(), "Those about this client."),
                    .init("after", in: .query, .integer(minimum: 0), "Those after the one with this number."),
                    .init("wait", in: .query, .string(), "For JSON: how long to wait for one, a minute at most."),
                    .init("Last-Event-ID", in: .header, .integer(minimum: 0), "As `after`.")
                ).answering(
                    200, "They come.",
                    OperationDescription.Content([("text/event-stream", .string()), ("application/json", Self.schema)])
                ).refusing((409, "Too many read already.")), read)
        ]
    }

    /// Silence for longer than this is no silence any more: proxies and readers take the connection for dead.
    static let heartbeat = Duration.seconds(15)

    private static let schema = Schema.object(
        [
            ("last", .integer("Where to go on: `after` for the next question.")),
            ("lost", .integer("How many were not kept.")),
            (
                "events",
                .array(
                    of: .object(
                        [
                            ("id", .integer()),
                            ("kind", .string(oneOf: ProviderEvent.Kind.allCases.map(\.rawValue))), ("time", .moment()),
                            ("client", .string("The one that it is about, if it is about one.")),
                            ("family", .string("The one that it is about, or whose refresh token was presented.")),
                            (
                                "families",
                                .array(
                                    of: .string(),
                                    "Of `request.answered`: all that it was about, as its record has them.")
                            ), ("logins", .array(of: .string(), "Of `request.answered`: those that it ended.")),
                        ], required: ["id", "kind", "time"], isOpen: true))
            ),
        ], required: ["last", "lost", "events"])

    private func read(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let filter = try EventFilter(request.query)
        let after = try position(request)
        events.turnOn()
        if request.accepts(["application/json"], ratherThan: "text/event-stream") {
            return try await list(request, after: after, filter)
        }
        guard events.readerCount < EventLog.maximumReaderCount else {
            throw Self.crowded
        }
        let events = events
        let begin = after ?? events.lastNumber
        return .stream("text/event-stream") { writer in
            // Somebody was faster. A stream that is cut off is read anew; one that ends is over.
            guard events.enter() else { throw NoRoom() }
            defer { events.leave() }
            let failure: (any Error)? = await request.request.whileClientWaits {
                do { try await Self.stream(events, after: begin, filter, to: writer) } catch { return error }
                return nil
            }
            if let failure { throw failure }
        }
    }

    private func position(_ request: ControlRequest) throws(ControlError) -> Int? {
        if let number = try request.number("after", in: 0...Int.max) { return number }
        guard let text = request.request.head.headerFields[.lastEventID] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw .invalid(nil, "Last-Event-ID must be the id of an event: a number")
        }
        return number
    }

    private func list(
        _ request: ControlRequest, after: Int?, _ filter: EventFilter
    ) async throws(ControlError) -> ControlAnswer {
        let batch: EventLog.Batch
        if let bound = try request.wait() {
            guard events.enter() else { throw Self.crowded }
            defer { events.leave() }
            let (events, begin) = (events, after ?? events.lastNumber)
            batch = await request.request.whileClientWaits {
                await events.events(after: begin, where: filter, until: events.deadline(after: bound))
            }
        } else {
            batch = events.events(after: after ?? 0, where: filter)
        }
        return .json([
            "last": .number(JSONNumber(Int64(batch.cursor))), "lost": .number(JSONNumber(Int64(batch.lost))),
            "events": .array(batch.events.map(\.json)),
        ])
    }

    private static let crowded = ControlError.conflict(
        "\(EventLog.maximumReaderCount) read already, and no more can")

    private static func stream(
        _ events: EventLog, after begin: Int, _ filter: EventFilter, to writer: any ServerBodyWriter
    ) async throws {
        // The head alone would not tell the reader that he is heard.
        try await writer.write(Array(": the events of pawl\nretry: 1000\n\n".utf8))
        var cursor = begin
        var deadline = events.deadline(after: heartbeat)
        while true {
            let batch = await events.events(after: cursor, where: filter, until: deadline)
            if deadline.isOver { deadline = events.deadline(after: heartbeat) }
            cursor = batch.cursor
            var text = ""
            if batch.lost > 0 { text += "event: events.lost\ndata: {\"count\":\(batch.lost)}\n\n" }
            for event in batch.events { text += message(event) }
            if batch.isOver || Task.isCancelled, text.isEmpty { return }
            try await writer.write(Array((text.isEmpty ? ":\n\n" : text).utf8))
        }
    }

    /// HTML section 9.2.6: fields on lines of their own, and an empty line. JSON has no line breaks.
    private static func message(_ event: ProviderEvent) -> String {
        let data = String(decoding: event.json.serialised(), as: UTF8.self)
        return "id: \(event.number)\nevent: \(event.kind.rawValue)\ndata: \(data)\n\n"
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = Self(validated: "Last-Event-ID")
}
