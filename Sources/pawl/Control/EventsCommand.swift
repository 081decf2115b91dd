import HTTPMessages
import HTTPWire
import IdentityProvider
import Networking
import Primitives

/// `pawl ctl events`
enum EventsCommand {
    static let command = Command(
        "events", "Look at what happens in a server",
        discussion: [
            "A server records nothing before somebody has looked for the first time: look once, let happen what is to "
                + "happen, and look again; or go on looking with --follow. Kinds are "
                + ProviderEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ") + "."
        ],
        examples: [
            .init(line: "pawl ctl events --follow --kind refresh,family", meaning: "watch a race"),
            .init(line: "pawl ctl events --kind family.ended --wait 30s", meaning: "wait for the next session to end"),
            .init(
                line: "pawl ctl events --follow --json | jq -r 'select(.kind == \"family.ended\").reason'",
                meaning: "why sessions end"),
        ],
        options: [kind.row, ControlCommand.client.row, after.row, ControlCommand.wait.row, follow.row]
            + ControlServerOptions.rows
            + [CommonOptions.json.row]
    ) { (invocation) async throws(CommandFailure) in
        let arguments = invocation.arguments
        try await ControlServerOptions.withServer(arguments) { (server) async throws(CommandFailure) in
            var call = ControlCall(.get, "/events")
            call.add("kind", arguments[kind])
            call.add("client", arguments[ControlCommand.client])
            call.add("after", arguments[after].map(String.init))
            guard arguments[follow] else {
                call.add("wait", arguments[ControlCommand.wait])
                return try list(try await server.send(call), of: server, invocation)
            }
            guard !arguments.isGiven(ControlCommand.wait) else {
                throw .usage("--wait is for one answer, and --follow goes on", hint: "give one of the two")
            }
            call.accept = "text/event-stream"
            try await show(try await server.stream(call), of: server, invocation)
        }
    }

    private static func list(
        _ content: [UInt8], of server: ControlServer, _ invocation: Invocation
    ) throws(CommandFailure) {
        let answer = try? JSON(parsing: content.span)
        guard let events = answer?["events"]?.array else { throw stranger(server) }
        if let lost = answer?["lost"]?.int64 { complain(ofLost: lost, invocation) }
        for event in events { try show(event, invocation) }
        if events.isEmpty, invocation.arguments.isGiven(ControlCommand.wait) {
            throw .refused("nothing has happened that fits before the time was over")
        }
    }

    /// The stream, until the server ends it.
    private static func show(
        _ stream: ResponseStream, of server: ControlServer, _ invocation: Invocation
    ) async throws(CommandFailure) {
        defer { stream.close() }
        var lines = EventLines()
        while let piece = try await next(of: stream, from: server) {
            for message in lines.take(piece) { try show(message, of: server, invocation) }
            if lines.isBroken { throw stranger(server) }
        }
    }

    private static func next(
        of stream: ResponseStream, from server: ControlServer
    ) async throws(CommandFailure) -> [UInt8]? {
        do throws(NetworkingError) { return try await stream.next() } catch {
            throw .environment(
                "the events of \(server.address.text) have broken off: \(error.description)",
                hint: "--after with the number of the last one goes on after it, if the server still runs")
        }
    }

    private static func show(
        _ message: EventLines.Message, of server: ControlServer, _ invocation: Invocation
    ) throws(CommandFailure) {
        guard let data = try? JSON(parsing: Array(message.data.utf8).span) else { throw stranger(server) }
        guard message.kind != "events.lost" else { return complain(ofLost: data["count"]?.int64 ?? 0, invocation) }
        try show(data, invocation)
    }

    private static func stranger(_ server: ControlServer) -> CommandFailure {
        .refused(
            "\(server.address.text) does not answer as a control API does", hint: "is that the URL of a pawl?")
    }

    private static func complain(ofLost count: Int64, _ invocation: Invocation) {
        if count > 0 { invocation.console.complain("\(count) events were not kept, and are missing here") }
    }

    private static func show(_ event: JSON, _ invocation: Invocation) throws(CommandFailure) {
        guard !invocation.arguments[CommonOptions.json], let object = event.object else {
            return try invocation.console.print(String(decoding: event.serialised(), as: UTF8.self))
        }
        let rest = object.filter { !["id", "time", "kind"].contains($0.0) }
            .map { "\($0.0)=\(ControlText.short($0.1))" }
        let head = ["id", "time", "kind"].map { event[$0].map(ControlText.short) ?? "-" }
        try invocation.console.print((head + rest).joined(separator: "  "))
    }

    private static let kind = Option.optional("kind", .text("KINDS"), "Such as refresh,family.ended.")
    private static let after = Option.optional(
        "after", .count(in: 0...Int.max), "Those after the one with this number.")
    private static let follow = Option.flag("follow", short: "f", "Go on with those that come.")
}
