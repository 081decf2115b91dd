import Cookies
import Primitives

/// The web view's store is the only one (S8). Whatever that store does to cookies it does to the app: what it loses is lost
/// (S11), before it is loaded nobody is signed in (S9), and an answer that was long under way writes over a newer state (S10).
final class WebStoreAsTruth: WebSide {
    private let sides: WebSides

    init(_ sides: WebSides) {
        self.sides = sides
        sides.surface.connect { event in
            if case .message(let message) = event { message.reply(.failure("not allowed")) }
        }
    }

    func open(_ url: String) async throws(WebBridgeError) { sides.surface.load(url) }

    func nativeCookies() async -> [Cookie] {
        await withCheckedContinuation { continuation in
            let once = Once<WebCookies> { view in
                let cookies = if case .loaded(let cookies) = view { cookies } else { [Cookie]() }
                continuation.resume(returning: cookies)
            }
            sides.alarm.ring(after: sides.configuration.limits.answer) { once.call(.notLoaded) }
            sides.surface.readCookies { once.call($0) }
        }
    }

    func nativeReceived(_ changes: [CookieChange]) { sides.surface.apply(changes) {} }

    func close() { sides.surface.connect(nil) }
}
