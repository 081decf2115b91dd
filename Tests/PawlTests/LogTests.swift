import Foundation
import TestSupport
import Testing

@Suite struct LogTests {
    /// A server at its most talkative, and everything that it says from start to end.
    private func log(
        format: String = "json", _ use: (Server) async throws -> Void
    ) async throws -> [String] {
        let server = try await Server([
            "--log-level", "debug", "--access-log", "--log-format", format, "--client", "service:correct-horse-battery",
        ])
        try await use(server)
        #expect(await server.stop() == 0)
        // The last record is written before the process ends.
        #expect(await server.process.errors.first { $0.contains("ended") } != nil)
        return server.process.errors.lines
    }

    @Test(arguments: ["json", "text"])
    func holdsNoSecret(format: String) async throws {
        let credentials = "service:correct-horse-battery"
        var tokens: [String] = []
        let lines = try await log(format: format) { server in
            for arguments in [
                ["-u", credentials, "-d", "grant_type=client_credentials"],
                ["-d", "grant_type=client_credentials&client_id=service&client_secret=correct-horse-battery"],
                ["-u", "service:wrong-horse", "-d", "grant_type=client_credentials"],
                ["-u", credentials, "-d", "grant_type=password&password=correct-horse-battery"],
                ["-u", credentials, "-d", "grant_type=client_credentials&client_secret=correct-horse-battery"],
                ["-u", credentials, "-d", "grant_type=client_credentials&scope=%22correct-horse-battery"],
                ["-H", "Authorization: Bearer correct-horse-battery", "-d", "grant_type=client_credentials"],
                ["-H", "Authorization: Basic !correct-horse-battery", "-d", "grant_type=client_credentials"],
            ] {
                let answer = try await server.curl("/token", arguments)
                if let token = try answer.object()["access_token"] as? String { tokens.append(token) }
            }
            _ = try await server.curl("/token?client_secret=correct-horse-battery")
            _ = try await server.curl("/correct?access_token=\(tokens[0])")
        }
        #expect(tokens.count >= 2)
        let text = lines.joined(separator: "\n")
        let basic = Data(credentials.utf8).base64EncodedString()
        for secret in ["correct-horse", "wrong-horse", basic] + tokens {
            #expect(!text.contains(secret))
        }
        for token in tokens {
            for part in token.split(separator: ".") { #expect(!text.contains(part)) }
        }
    }

    @Test func isJSONLineByLine() async throws {
        let lines = try await log { server in
            _ = try await server.curl("/health")
            _ = try await server.curl("/nothing%0A%22here")
            _ = try await server.curl("/token", ["-d", "a=b"])
        }
        #expect(lines.count > 4)
        var requests = 0
        for line in lines {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            for name in ["time", "level", "message"] { #expect(object[name] is String) }
            if object["message"] as? String == "request" {
                requests += 1
                #expect(object["request"] is String)
                #expect(object["status"] is Int)
                #expect(object["took_ms"] is Double)
            }
        }
        #expect(requests == 3)
    }

    /// Writes bytes to a server as they are, which curl does not do.
    private func send(_ bytes: String, to server: Server) async throws {
        let shell = try #require(ProcessRunner.find("bash"))
        let port = try #require(server.addresses[0].port)
        _ = try await ProcessRunner.run(
            shell, ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(port); cat >&3; cat <&3"], input: Data(bytes.utf8))
    }

    @Test(arguments: ["json", "text"])
    func cannotBeForgedFromOutside(format: String) async throws {
        let hostile = [
            "/a\u{1B}[2J", "/a\r", "/a\"}{\"level\":\"error\"", "/%0a%0dlevel=error", "/\u{9B}31m", "/\u{202E}x",
            "/a\u{7F}b", "/a\tb",
        ]
        let lines = try await log(format: format) { server in
            for path in hostile {
                try await send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", to: server)
                try await send(
                    "GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: \(path)\r\nConnection: close\r\n\r\n", to: server)
            }
            try await send(
                "POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                    + "Connection: close\r\nContent-Length: 47\r\n\r\n"
                    + "grant_type=a%0Alevel%3Derror&client_id=%1B%5B2J", to: server)
        }
        for line in lines {
            for scalar in line.unicodeScalars {
                #expect((0x20..<0x7F).contains(scalar.value), "\(line.debugDescription)")
            }
            if format == "json" {
                #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)")
            } else {
                // Every line begins as ours do.
                #expect(line.hasPrefix("20") && line.dropFirst(23).hasPrefix("Z "))
            }
            #expect(!line.contains("Z error"))
        }
    }

    @Test func leavesOutWhatIsLessThanItsLevel() async throws {
        let server = try await Server(["--log-level", "error", "--access-log"])
        _ = try await server.curl("/health")
        #expect(await server.stop() == 0)
        #expect(server.process.errors.text.isEmpty)
    }
}
