import HTTPMessages
import IdentityProvider
import Networking
import Observability
import Primitives
import Synchronization

/// A server on a free port of its own that answers by a closure, and remembers what it was sent.
final class PageServer: Sendable, RequestHandler {
    private let answer: @Sendable (ServerRequest) -> ServerResponse
    private let received = Mutex<[ServerRequest]>([])

    init(_ answer: @escaping @Sendable (ServerRequest) -> ServerResponse) {
        self.answer = answer
    }

    func respond(to request: ServerRequest) async -> ServerResponse {
        received.withLock { $0.append(request) }
        return answer(request)
    }

    /// The bodies of the forms that came, in order.
    var forms: [String] {
        posts.map { String(decoding: $0.body, as: UTF8.self) }
    }

    var posts: [ServerRequest] {
        received.withLock { requests in requests.filter { $0.head.method.rawValue == "POST" } }
    }

    var paths: [String] { received.withLock { requests in requests.compactMap(\.head.path) } }

    /// Runs `body` with the address of the server.
    func run<Value: Sendable>(_ body: @Sendable (String) async throws -> Value) async throws -> Value {
        try await Self.run(self, body)
    }

    /// Runs `body` with the address of a server that answers by `handler`.
    static func run<Value: Sendable>(
        _ handler: any RequestHandler, _ body: @Sendable (String) async throws -> Value
    ) async throws -> Value {
        let group = try EventLoopGroup(count: 1)
        var configuration = ServerConfiguration(listeners: [.init(.ip(host: "127.0.0.1", port: 0))])
        configuration.deadlines.idle = .seconds(600)
        let server = HTTPServer(
            configuration: configuration, group: group, handler: handler, logger: .silent, clock: SystemWallClock())
        do {
            let address = try await server.start()[0].address
            let value = try await body("http://\(address)")
            await server.drain(within: .zero)
            group.shutdown()
            return value
        } catch {
            await server.drain(within: .zero)
            group.shutdown()
            throw error
        }
    }

    /// Every sample page under its name, and `/submit`, which takes their forms.
    static func samples(_ pages: [SamplePage] = SamplePage.all()) -> PageServer {
        PageServer { request in
            let path = request.head.path ?? "/"
            if request.head.method.rawValue == "POST" { return text("thank you") }
            guard let sample = pages.first(where: { sameText("/" + $0.name, path) }) else {
                return text("no such page", status: .notFound)
            }
            let language = PageLanguage.chosen(
                uiLocales: nil, acceptLanguage: request.head.headerFields[.acceptLanguage])
            return sample.page.response(PageSetting(language: language, isMock: true))
        }
    }

    /// A plain page with a title, so that a test sees that it has arrived.
    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> ServerResponse {
        var writer = HTMLWriter()
        writer.element("title", text)
        writer.void("link", [.rel("icon"), .icon("data:,")])
        writer.element("p", text)
        return ServerResponse(
            status: status, headerFields: [.contentType: "text/html; charset=utf-8"], body: .bytes(writer.takeBytes()))
    }

    static func redirect(to url: String) -> ServerResponse {
        ServerResponse(
            status: HTTPResponse.Status(code: 303, reasonPhrase: "See Other"), headerFields: [.location: url])
    }
}
