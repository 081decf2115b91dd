import Cookies
import HTTPMessages
import HTTPWire
import Networking
import Primitives
import Synchronization
import Testing

/// A browser as far as cookies and redirects make one. Whatever comes back from the proxy is what its pages could see.
final class PageBrowser: Sendable {
    private struct State {
        var jar: CookieJar
        var seen: [UInt8] = []
    }

    private let group: EventLoopGroup
    private let client: HTTPClient
    private let state: Mutex<State>
    private let proxy: String

    struct Page: Sendable {
        let status: Int
        let fields: HTTPFields
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSON { (try? JSON(parsing: body.span)) ?? .null }
        var location: String? { fields[.location] }
    }

    /// - Parameters:
    ///   - proxy: its public URL.
    ///   - authority: a PEM file, for https.
    init(of proxy: String, trusting authority: String? = nil) throws {
        self.proxy = proxy
        group = try EventLoopGroup(count: 1)
        var configuration = ClientConfiguration()
        configuration.limits.bodyBytes = 16 << 20
        if let authority { configuration.tls = try TLSClientContext(trust: .systemAnd(authorities: authority)) }
        client = HTTPClient(group: group, configuration: configuration)
        var policy = CookiePolicy()
        policy.secureOrigins = .encryptedOrLoopback
        state = Mutex(State(jar: CookieJar(policy: policy)))
    }

    deinit { group.shutdown() }

    /// Everything that the proxy has sent, fields and contents.
    var seen: String { state.withLock { String(decoding: $0.seen, as: UTF8.self) } }

    var cookies: [String: String] {
        state.withLock { state in
            Dictionary(state.jar.all.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Puts a cookie back that was copied before.
    func put(_ name: String, _ value: String) throws {
        let url = try #require(CookieURL(proxy + "/"))
        try state.withLock { state in
            _ = try state.jar.receive(
                "\(name)=\(value); Path=/", from: CookieContext(url: url), at: SystemWallClock().now())
        }
    }

    static let script: [(String, String)] = [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "cors")]
    static let visit: [(String, String)] = [("Sec-Fetch-Site", "none"), ("Sec-Fetch-Mode", "navigate")]

    func send(
        _ method: HTTPRequest.Method, _ url: String, _ fields: [(String, String)], body: [UInt8] = []
    ) async throws -> Page {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        let (scheme, authority) = (String(parts[0].dropLast()), parts[1].isEmpty ? parts[2] : parts[1])
        let context = CookieContext(url: try #require(CookieURL(url)))
        var request = HTTPRequest(
            method: method, scheme: scheme, authority: authority, path: "/" + (parts.count > 3 ? parts[3] : ""))
        for (name, value) in fields { request.headerFields.append(name: HTTPField.Name(name)!, value: value) }
        request.headerFields[.cookie] = state.withLock { $0.jar.field(for: context, at: SystemWallClock().now()) }
        let port = try #require(authority.split(separator: ":").last.flatMap { Int($0) })
        let (head, content) = try await client.send(request, body: body, to: .ip(host: "127.0.0.1", port: port))
        state.withLock { state in
            for field in head.headerFields[values: .setCookie] {
                _ = try? state.jar.receive(field, from: context, at: SystemWallClock().now())
            }
            guard url.hasPrefix(proxy) else { return }
            for field in head.headerFields { state.seen += Array("\(field.name): \(field.value)\n".utf8) }
            state.seen += content
        }
        return Page(status: head.status.code, fields: head.headerFields, body: content)
    }

    /// Goes to a path of the proxy, and wherever that leads.
    func open(_ path: String) async throws -> Page {
        var url = proxy + path
        var page = try await send(.get, url, Self.visit)
        for _ in 0..<10 {
            guard (300..<400).contains(page.status), let location = page.location else { break }
            if location.hasPrefix("/") {
                url =
                    url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
                    + location
            } else {
                url = location
            }
            page = try await send(.get, url, Self.visit)
        }
        return page
    }

    /// What a script of a page gets.
    func fetch(
        _ method: HTTPRequest.Method = .get, _ path: String, body: [UInt8] = [], _ fields: [(String, String)] = []
    ) async throws -> Page {
        let origin = method == .get ? [] : [("Origin", proxy)]
        return try await send(method, proxy + path, Self.script + origin + fields, body: body)
    }

    /// Many at once, as a page does when it loads; how many came back with which status.
    func fetchMany(_ count: Int, _ path: String) async throws -> [Int: Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await self.fetch(path: path).status } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    private func fetch(path: String) async throws -> Page { try await fetch(.get, path) }
}
