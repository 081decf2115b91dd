import Cookies
import SessionClient
import WebKitGTKSurface

/// A real web view whose store takes its time, so that who does not wait for it comes too early each time and not now and then.
struct HesitantSurface: WebSurface {
    let surface: any WebSurface
    let delay = Duration.milliseconds(200)

    func readCookies(_ completion: @escaping @Sendable (WebCookies) -> Void) { surface.readCookies(completion) }

    func apply(_ changes: [CookieChange], _ completion: @escaping @Sendable () -> Void) {
        GLibAlarm().ring(after: delay) { surface.apply(changes, completion) }
    }

    func connect(_ handler: (@Sendable (WebEvent) -> Void)?) { surface.connect(handler) }
    func observeCookies() { surface.observeCookies() }
    func load(_ url: String) { surface.load(url) }
    func reload() { surface.reload() }
}
