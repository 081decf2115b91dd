import CWebKitGTK
import Cookies
import Primitives
import SessionClient
import Testing
import WebKitGTKSurface

/// A web view, with what a test wants to do with it and to know of it.
@GLibActor
final class Browser {
    let store: WebKitStore
    let view: WebKitView
    let surface: WebKitGTKSurface
    /// What it went to, and how that ended.
    private(set) var loads: [WebKitView.Navigation] = []

    /// - Parameter store: `nil`: one of its own, in memory.
    init(_ store: WebKitStore? = nil) {
        self.store = store ?? WebKitStore(.memory, clock: SystemWallClock())
        view = WebKitView(self.store)
        surface = WebKitGTKSurface(view)
        view.onNavigation = { [unowned self] in ended($0) }
    }

    private func ended(_ navigation: WebKitView.Navigation) {
        if case .committed = navigation { return }
        loads.append(navigation)
    }

    /// Waits until so many pages were loaded.
    func loaded(_ count: Int, at location: SourceLocation = #_sourceLocation) async {
        await eventually("page \(count) is loaded", within: .seconds(30), at: location) { self.loads.count >= count }
    }

    /// Goes to a page, with nobody who takes care of the cookies.
    func visit(_ url: String, at location: SourceLocation = #_sourceLocation) async {
        let count = loads.count
        view.load(url)
        await loaded(count + 1, at: location)
    }

    @discardableResult
    func script(_ body: String) async throws -> JSON { try await view.call(body) }

    func cookies() async -> [Cookie] {
        await withCheckedContinuation { continuation in
            store.readCookies { continuation.resume(returning: ($0 ?? []).sorted { $0.name < $1.name }) }
        }
    }

    /// What the engine says first, whoever says that.
    func pairsAtOnce() async -> [String] {
        await withCheckedContinuation { continuation in
            store.readCookiesAtOnce { continuation.resume(returning: ($0 ?? []).map(\.pair)) }
        }
    }

    func pairs() async -> [String] { await cookies().map(\.pair) }

    func apply(_ changes: [CookieChange]) async {
        await withCheckedContinuation { continuation in store.apply(changes) { continuation.resume() } }
    }

    func set(_ cookies: Cookie...) async { await apply(cookies.map(CookieChange.set)) }
}

/// For what another process does, and does not say when it has.
@GLibActor
func eventually(
    _ what: Comment, within limit: Duration = .seconds(10), at location: SourceLocation = #_sourceLocation,
    _ condition: @GLibActor () async throws -> Bool
) async rethrows {
    let isDone = try await isTrue(within: limit, condition)
    if !isDone { Issue.record(what, sourceLocation: location) }
}

extension Cookie {
    /// One of `127.0.0.1`.
    static func local(
        _ name: String, _ value: String, expiresIn lifetime: Duration? = nil, isSecure: Bool = false,
        isHTTPOnly: Bool = false, sameSite: SameSite = .lax, path: String = "/", domain: String = "127.0.0.1"
    ) -> Cookie {
        let now = SystemWallClock().now()
        return Cookie(
            name: name, value: value, domain: domain, path: path, expires: lifetime.map { now + $0 },
            isSecure: isSecure, isHTTPOnly: isHTTPOnly, sameSite: sameSite, at: now)
    }
}
