import Cookies
import Primitives

/// The app refreshes, and the web view gets what comes of it (S15): ``WebSessionBridge`` among the other strategies.
final class NativeOwned: WebSide {
    private let bridge: WebSessionBridge
    private let session: any PageSession

    init(_ sides: WebSides) {
        session = sides.session
        bridge = WebSessionBridge(
            session: sides.session, surface: sides.surface, configuration: sides.configuration, clock: sides.clock,
            alarm: sides.alarm, launch: sides.launch)
    }

    func open(_ url: String) async throws(WebBridgeError) { try await bridge.open(url) }

    func nativeCookies() async -> [Cookie] {
        guard let state = try? await session.pageCookies() else { return [] }
        return state.cookies
    }

    /// The session has taken its own answers in already.
    func nativeReceived(_ changes: [CookieChange]) {}

    func close() { bridge.close() }
}
