import Foundation
import TestSupport
import Testing

/// What the server refuses before the provider sees it reads like any other error of the provider.
@Suite struct RefusalTests {
    @Test(arguments: [
        (["--max-headers", "3"], ["-H", "A: 1", "-H", "B: 2", "-H", "C: 3"], 431, "invalid_request"),
        (["--max-request-line", "64"], ["-H", "X-Path: long"], 414, "invalid_request"),
        (["--max-body", "8"], ["-d", "grant_type=client_credentials"], 413, "invalid_request"),
        ([], ["-H", "Host: a b"], 400, "invalid_request"),
        ([], ["-H", "Transfer-Encoding: gzip, chunked", "-d", "x"], 501, "invalid_request"),
    ])
    func speaksTheLanguageOfItsErrors(
        options: [String], request: [String], status: Int, error: String
    ) async throws {
        let server = try await Server(options)
        let path = status == 414 ? "/" + String(repeating: "p", count: 100) : "/token"
        let answer = try await server.curl(path, ["--dump-header", server.directory.path("head")] + request)
        #expect(answer.status == status)
        let object = try answer.object()
        #expect(object["error"] as? String == error)
        #expect((object["error_description"] as? String)?.isEmpty == false)
        // Fetch section 3.3: or a page would see a network error in its place.
        let head = try String(contentsOfFile: server.directory.path("head"), encoding: .utf8)
        #expect(head.lowercased().contains("\r\naccess-control-allow-origin: *\r\n"))
    }
}
