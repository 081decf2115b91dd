import Foundation
import TestSupport
import Testing

/// `pawl ctl` can do whatever the control API can: what OpenAPI describes, and what the commands call, are held together.
@Suite struct ControlCoverageTests {
    /// An operation, and the command that calls it.
    struct Row: Sendable {
        let operation: String
        /// The words of the command, and what it is tried with.
        let command: [String]
        let arguments: [String]
        /// Parameters and members that no option of their name gives, and what does.
        let otherwise: [String: String]

        init(_ operation: String, _ command: String, _ arguments: [String] = [], otherwise: [String: String] = [:]) {
            self.operation = operation
            self.command = command.split(separator: " ").map(String.init)
            self.arguments = arguments
            self.otherwise = otherwise
        }
    }

    static let rows = [
        Row("getControl", "show"),
        Row("getClock", "clock show"),
        Row("setClock", "clock set", ["2030-01-02T03:04:05Z"], otherwise: ["now": "TIME"]),
        Row("advanceClock", "clock advance", ["1h"], otherwise: ["by": "DURATION", "seconds": "DURATION"]),
        Row("freezeClock", "clock freeze"), Row("resumeClock", "clock resume"), Row("resetClock", "clock reset"),
        Row("listUsers", "users list"), Row("getUser", "users show", ["alice"]),
        Row("putUser", "users put", ["carol", "{}"], otherwise: json(["username", "id", "password", "claims"])),
        Row("deleteUser", "users remove", ["carol"]),
        Row("listClients", "clients list"), Row("getClient", "clients show", ["web"]),
        Row("putClient", "clients put", ["shop", #"{"redirect_uris": ["http://localhost/"]}"#]),
        Row("deleteClient", "clients remove", ["shop"]),
        Row("listTenants", "tenants list"), Row("putTenant", "tenants put", ["one", "{}"]),
        Row("resetTenant", "tenants reset", ["one"]), Row("deleteTenant", "tenants remove", ["one"]),
        Row("listKeys", "keys list"), Row("rotateKeys", "keys rotate"), Row("withdrawKey", "keys withdraw", ["kid"]),
        Row("signToken", "tokens sign", [#"{"sub": "alice"}"#], otherwise: ["claims": "CLAIMS"]),
        Row("revokeToken", "tokens revoke", ["eyJh.e30.c2ln"], otherwise: ["token": "TOKEN"]),
        Row("getSettings", "settings show"),
        Row("changeSettings", "settings change", [#"{"rotation": "okta"}"#]),
        Row("changeSettings", "settings set", ["access_tokens.lifetime", "2s"]),
        Row("listSessions", "sessions list"), Row("listSessions", "sessions logins"),
        Row(
            "createSession", "sessions create", ["alice", "web"],
            otherwise: ["user": "USER", "client": "CLIENT", "resources": "--resource"]),
        Row("endSession", "sessions end", ["no-session"]), Row("endSessions", "sessions clear"),
        Row("listFamilies", "families list"),
        Row("getFamily", "families show", ["no-family"]),
        Row("listRequests", "requests list"), Row("deleteRequests", "requests clear"),
        Row("streamEvents", "events"),
        Row("addFault", "faults add", ["drop"], otherwise: ["fault": "FAULT", "headers": "--header"]),
        Row("listFaults", "faults list"), Row("getFault", "faults show", ["1"]),
        Row("deleteFault", "faults remove", ["1"]), Row("deleteFaults", "faults clear"),
        Row(
            "addBarrier", "barriers add", ["refresh.received"], otherwise: ["at": "CHECKPOINT", "headers": "--header"]),
        Row("listBarriers", "barriers list"), Row("getBarrier", "barriers show", ["1"]),
        Row("openBarrier", "barriers open", ["1"]), Row("deleteBarrier", "barriers remove", ["1"]),
        Row("deleteBarriers", "barriers clear"),
        Row("addNextResponse", "next add", ["--error", "invalid_grant"], otherwise: ["headers": "--header"]),
        Row("listNextResponses", "next list"), Row("deleteNextResponse", "next remove", ["1"]),
        Row("deleteNextResponses", "next clear"),
        Row("setNextLoginClaims", "next-claims set", [#"{"a": 1}"#], otherwise: ["claims": "CLAIMS"]),
        Row("listNextLoginClaims", "next-claims list"), Row("deleteNextLoginClaims", "next-claims clear"),
        Row(
            "decideDevice", "device approve", ["AAAA-BBBB", "alice"],
            otherwise: ["user": "USER", "approve": "have its tokens"]),
        Row("decideDevice", "device deny", ["AAAA-BBBB", "alice"], otherwise: ["user": "USER", "approve": "Refuse"]),
        Row("reset", "reset"),
    ]

    /// Members that are given in one object.
    private static func json(_ members: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: members.map { ($0, "JSON") })
    }

    /// An operation of the document.
    private struct Operation {
        let method: String
        let path: String
        let parameters: [String]
    }

    /// Those below `/_pawl`, by their names.
    private func operations(of server: Server) async throws -> [String: Operation] {
        let document = try await server.curl("/openapi.json").object()
        var operations: [String: Operation] = [:]
        for (path, item) in try #require(document["paths"] as? [String: [String: Any]]) where path.hasPrefix("/_pawl") {
            for case let (method, operation as [String: Any]) in item {
                let name = try #require(operation["operationId"] as? String)
                operations[name] = Operation(
                    method: method.uppercased(), path: path, parameters: Self.parameters(of: operation))
            }
        }
        return operations
    }

    /// What a request may say: parameters of the query, and members of the body. A body that stands in the document under a
    /// name of its own is the business of a file, and is given as JSON.
    private static func parameters(of operation: [String: Any]) -> [String] {
        let queries = (operation["parameters"] as? [[String: Any]] ?? []).filter { $0["in"] as? String == "query" }
        let content = (operation["requestBody"] as? [String: Any])?["content"] as? [String: [String: Any]]
        let schema = content?["application/json"]?["schema"] as? [String: Any]
        return queries.compactMap { $0["name"] as? String } + (schema?["properties"] as? [String: Any] ?? [:]).keys
    }

    @Test func everyOperationHasACommandAndEveryCommandAnOperation() async throws {
        let server = try await Server()
        let operations = try await operations(of: server)
        #expect(operations.count > 45)
        #expect(Set(operations.keys) == Set(Self.rows.map(\.operation)))
        let commands = try await Pawl.commands().filter { $0.first == "ctl" }
        let leaves = commands.filter { command in
            !commands.contains { $0.count > command.count && $0.starts(with: command) }
        }
        #expect(Set(leaves) == Set(Self.rows.map { ["ctl"] + $0.command }))
        #expect(await server.stop() == 0)
    }

    @Test func everyCommandCallsItsOperation() async throws {
        let server = try await Server(["--access-log", "--log-format", "json"])
        let operations = try await operations(of: server)
        for row in Self.rows {
            let result = try await Pawl.run(
                ["ctl"] + row.command + row.arguments + ["--json"],
                environment: ProcessRunner.environment.merging(["PAWL_URL": server.url]) { $1 })
            // Some name what is not there: the server says so.
            #expect([0, 1].contains(result.exitCode), "\(row.command): \(result.errors)")
        }
        #expect(await server.stop() == 0)
        let calls = try Self.calls(in: server.process.errors.text)
        #expect(calls.count == Self.rows.count)
        for (row, call) in zip(Self.rows, calls) {
            let operation = try #require(operations[row.operation])
            #expect(call.method == operation.method && Self.fits(call.path, operation.path), "\(row.command): \(call)")
        }
    }

    /// What the log says came to the control API.
    private static func calls(in log: String) throws -> [(method: String, path: String)] {
        try log.split(separator: "\n").compactMap { line in
            let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard record?["message"] as? String == "request", let method = record?["method"] as? String,
                let path = record?["path"] as? String, path.hasPrefix("/_pawl")
            else { return nil }
            return (method: method, path: path)
        }
    }

    private static func fits(_ path: String, _ template: String) -> Bool {
        let segments = path.prefix { $0 != "?" }.split(separator: "/")
        let wanted = template.split(separator: "/")
        return segments.count == wanted.count
            && zip(segments, wanted).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
    }

    /// What a request may say, the command can: by an option of that name, or as the table says.
    @Test func everyParameterHasAnOption() async throws {
        let server = try await Server()
        for (name, operation) in try await operations(of: server) {
            // A tenant is as large as a configuration, and given as JSON.
            for row in Self.rows where row.operation == name && name != "putTenant" {
                let help = try await Pawl.run(["ctl"] + row.command + ["--help"]).output
                for parameter in operation.parameters {
                    let option = "--" + parameter.replacing("_", with: "-")
                    if let other = row.otherwise[parameter] {
                        #expect(help.contains(other), "\(row.command): \(parameter)")
                    } else {
                        #expect(help.contains(option + " "), "\(row.command): \(parameter)")
                    }
                }
                let unknown = Set(row.otherwise.keys).subtracting(operation.parameters)
                #expect(unknown.isEmpty, "\(row.command): nothing is called \(unknown)")
            }
        }
        #expect(await server.stop() == 0)
    }
}
