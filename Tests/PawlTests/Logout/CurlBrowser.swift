import Foundation
import TestSupport
import Testing

/// A browser as far as curl is one: keeps cookies in a file, and follows redirects that stay at the server.
struct CurlBrowser {
    let server: Server
    private let directory: TemporaryDirectory

    struct Page {
        let status: Int
        let location: String?
        let body: String

        /// The parameter of the address that the browser was sent to.
        func parameter(_ name: String) -> String? {
            location.flatMap { URLComponents(string: $0) }?.queryItems?.first { $0.name == name }?.value
        }

        /// The unseen fields of its form.
        var hiddenFields: [(name: String, value: String)] {
            body.split(separator: "<input ").compactMap { tag in
                guard tag.contains("type=\"hidden\""), let name = Self.value("name", tag) else { return nil }
                return (name, Self.value("value", tag) ?? "")
            }
        }

        var action: String? { body.split(separator: "<form ").dropFirst().first.flatMap { Self.value("action", $0) } }

        private static func value(_ attribute: String, _ tag: Substring) -> String? {
            guard let start = tag.range(of: attribute + "=\""),
                let end = tag[start.upperBound...].firstIndex(of: "\"")
            else { return nil }
            return String(tag[start.upperBound..<end]).replacing("&amp;", with: "&")
        }
    }

    init(_ server: Server) throws {
        self.server = server
        directory = try TemporaryDirectory()
    }

    func open(_ path: String) async throws -> Page { try await follow(path, []) }

    /// Submits the form of a page.
    func submit(_ page: Page, _ values: [String: String]) async throws -> Page {
        let fields = page.hiddenFields + values.map { ($0.key, $0.value) }
        let arguments = fields.flatMap { ["--data-urlencode", "\($0.name)=\($0.value)"] }
        return try await follow(#require(page.action), arguments + ["-H", "Origin: \(server.url)"])
    }

    private func follow(_ path: String, _ arguments: [String]) async throws -> Page {
        var page = try await send(path, arguments)
        for _ in 0..<10 {
            guard let location = page.location, location.hasPrefix(server.url) else { break }
            page = try await send(String(location.dropFirst(server.url.count)), [])
        }
        return page
    }

    private func send(_ path: String, _ arguments: [String]) async throws -> Page {
        let curl = try #require(ProcessRunner.find("curl"))
        let jar = directory.path("cookies")
        let result = try await ProcessRunner.run(
            curl,
            [
                "--silent", "--show-error", "--max-time", "20", "--cookie", jar, "--cookie-jar", jar, "--write-out",
                "\n%{http_code} %{redirect_url}",
            ] + arguments + [server.url + path])
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        let words = (lines.last ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        return Page(
            status: words.first.flatMap { Int($0) } ?? 0, location: words.count > 1 ? words[1] : nil,
            body: lines.dropLast().joined(separator: "\n"))
    }
}
