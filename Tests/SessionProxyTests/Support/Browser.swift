import Cookies
import HTTPMessages
import OAuth
import Primitives
import SessionProxy
import Synchronization
import Testing

/// A browser, as far as a proxy meets one: cookies, and what it says of the page that sends it.
final class Browser: Sendable {
    private struct State {
        var cookies: [String: String] = [:]
        /// Every byte that a page could have got.
        var seen: [UInt8] = []
    }

    private let state = Mutex(State())
    private let world: World
    static let authority = "app.example"

    init(_ world: World) { self.world = world }

    var cookies: [String: String] {
        get { state.withLock { $0.cookies } }
        set { state.withLock { $0.cookies = newValue } }
    }

    var seen: String { state.withLock { String(decoding: $0.seen, as: UTF8.self) } }

    static let script: HTTPFields = [.secFetchSite: "same-origin", .secFetchMode: "cors", .accept: "*/*"]
    static let visit: HTTPFields = [.secFetchSite: "none", .secFetchMode: "navigate", .secFetchDest: "document"]
    static let link: HTTPFields = [.secFetchSite: "cross-site", .secFetchMode: "navigate", .secFetchDest: "document"]

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = script, body: [UInt8] = [],
        authority: String = Browser.authority, presence: (any ClientPresence)? = nil
    ) async -> Answer {
        var fields = fields
        if !cookies.isEmpty {
            fields.append(
                name: .cookie, value: cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; "))
        }
        let request = ServerRequest(
            head: HTTPRequest(method: method, scheme: "https", authority: authority, path: path, headerFields: fields),
            body: body, peer: .init(address: "192.0.2.7", isLoopback: false, isEncrypted: true), id: "request-1",
            presence: presence)
        let answer = await Answer(world.proxy.respond(to: request))
        take(answer)
        return answer
    }

    private func take(_ answer: Answer) {
        state.withLock { state in
            for field in answer.head.headerFields { state.seen += Array("\(field.name): \(field.value)\n".utf8) }
            state.seen += answer.body
            for field in answer.head.headerFields[values: .setCookie] {
                guard let set = try? SetCookie(parsing: field) else { continue }
                state.cookies[set.name] = set.maxAge == .past ? nil : set.value
            }
        }
    }

    func get(_ path: String, _ fields: HTTPFields = script) async -> Answer { await send(.get, path, fields) }

    func visit(_ path: String) async -> Answer { await send(.get, path, Self.visit) }

    func post(_ path: String, _ fields: HTTPFields = [:], body: [UInt8] = []) async -> Answer {
        await send(
            .post, path,
            HTTPFields(Array(Self.script) + [HTTPField(name: .origin, value: World.origin)] + Array(fields)), body: body
        )
    }

    // MARK: Signing in

    /// Begins a login; where the provider is.
    func begin(returningTo path: String = "/") async throws -> String {
        let answer = await visit("/_session/login?" + FormParameters([("return_to", path)]).encoded)
        return try #require(answer.head.headerFields[.location])
    }

    /// Comes back from the provider with an answer to a login.
    func comeBack(_ url: String) async -> Answer {
        await get(String(url.dropFirst(World.origin.count)), Self.link)
    }

    @discardableResult
    func signIn(returningTo path: String = "/") async throws -> Answer {
        let answer = await comeBack(world.desk.authorise(try await begin(returningTo: path)))
        #expect(answer.status == 303)
        return answer
    }

    func isSignedIn() async -> Bool { await get("/_session").json["signed_in"]?.bool == true }
}

/// What a browser got.
struct Answer: Sendable {
    let head: HTTPResponse
    let body: [UInt8]
    /// The last piece is missing.
    let isCutOff: Bool

    init(_ response: ServerResponse) async {
        head = response.head
        switch response.body {
        case .none:
            body = []
            isCutOff = false
        case .bytes(let bytes):
            body = bytes
            isCutOff = false
        case .stream(let produce):
            let writer = Collected()
            var failed = false
            do { try await produce(writer) } catch { failed = true }
            body = writer.bytes
            isCutOff = failed
        }
    }

    var status: Int { head.status.code }
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSON { (try? JSON(parsing: body.span)) ?? .null }
    var error: String? { json["error"]?.string }
    var location: String? { head.headerFields[.location] }

    subscript(name: String) -> String? { head.headerFields[HTTPField.Name(name)!] }

    private final class Collected: ServerBodyWriter {
        private let state = Mutex<[UInt8]>([])
        var bytes: [UInt8] { state.withLock { $0 } }
        func write(_ bytes: [UInt8]) async throws { state.withLock { $0 += bytes } }
    }
}
