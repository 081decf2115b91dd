import Foundation
import TestSupport
import Testing

/// The order of two concurrent requests, forced from outside with curl.
@Suite struct ControlOrderTests {
    private func post(_ server: Server, _ path: String, _ body: String) async throws -> [String: Any] {
        let answer = try await server.curl(
            "/_pawl\(path)", ["-H", "Content-Type: application/json", "-d", body])
        #expect((200...201).contains(answer.status), "\(answer.body)")
        return try answer.object()
    }

    private func session(_ server: Server) async throws -> String {
        let tokens = try await post(
            server, "/sessions", #"{"user": "alice", "client": "web", "scope": "openid offline_access"}"#)
        return try #require(tokens["refresh_token"] as? String)
    }

    private func refresh(_ server: Server, _ token: String, _ label: String) async throws -> Server.Answer {
        try await server.curl(
            "/token",
            [
                "-H", "Pawl-Label: \(label)", "-d",
                "grant_type=refresh_token&client_id=web&refresh_token=\(token)",
            ])
    }

    /// A is judged before B, and B's answer leaves before A's, though B comes first.
    @Test func twoCurlsGoInTheOrderThatWasChosen() async throws {
        let server = try await Server()
        let token = try await session(server)
        let judging = try await post(
            server, "/barriers",
            #"{"at": "refresh.received", "until": "refresh.judged", "order": "label", "sequence": ["A", "B"]}"#)
        let answering = try await post(
            server, "/barriers",
            #"{"at": "response.sending", "order": "label", "sequence": ["B", "A"], "grant_type": "refresh_token"}"#)
        let id = try #require(judging["id"] as? Int)
        async let b = refresh(server, token, "B")
        let held = try await server.curl("/_pawl/barriers/\(id)?wait=20s&held=1").object()
        #expect((held["held"] as? [Any])?.count == 1)
        async let a = refresh(server, token, "A")
        let (first, second) = (try await a, try await b)
        #expect(first.status == 200)
        #expect(second.status == 400)
        #expect(second.body.contains("invalid_grant"))
        let last = try await server.curl("/_pawl/barriers/\(try #require(answering["id"] as? Int))?wait=20s").object()
        #expect(last["state"] as? String == "done")
        let labels = (last["released"] as? [[String: Any]])?.compactMap { $0["label"] as? String }
        #expect(labels == ["B", "A"])
        #expect(await server.stop() == 0)
    }

    /// What curl says: 52, no answer; 18, part of one.
    @Test(arguments: [(#"{"fault": "drop"}"#, 52), (#"{"fault": "cut"}"#, 18)] as [(String, Int32)])
    func anAnswerIsLostAfterTheTokenWasSpent(_ fault: String, _ exitCode: Int32) async throws {
        let server = try await Server()
        let token = try await session(server)
        _ = try await post(server, "/faults", fault)
        #expect(try await refresh(server, token, "A").exitCode == exitCode)
        #expect(try await refresh(server, token, "A").body.contains("invalid_grant"))
        #expect(await server.stop() == 0)
    }

    @Test func eventsComeAsAStream() async throws {
        let server = try await Server()
        let curl = try #require(ProcessRunner.find("curl"))
        let stream = try RunningProcess(
            curl, ["-sN", "--max-time", "60", server.url + "/_pawl/events?kind=refresh"],
            environment: ProcessRunner.environment)
        #expect(await stream.output.first { $0.hasPrefix(":") } != nil)
        let token = try await session(server)
        #expect(try await refresh(server, token, "A").status == 200)
        let data = await stream.output.first { $0.hasPrefix("data: ") }
        #expect(data?.contains(#""verdict":"granted""#) == true)
        // The server ends the stream, and not the reader.
        #expect(await server.stop() == 0)
        #expect(await stream.waitForExit() == 0)
    }
}
