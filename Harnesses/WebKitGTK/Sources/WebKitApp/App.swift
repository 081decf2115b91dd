import Cookies
import Glibc
import Primitives
import WebKitGTKSurface

@GLibActor
final class App {
    private let store: WebKitStore
    private var view: WebKitView?

    init(_ directory: String) {
        store = WebKitStore(.directory(directory), clock: SystemWallClock())
    }

    func visit(_ url: String) async {
        let view = WebKitView(store)
        self.view = view
        await withCheckedContinuation { continuation in
            view.onNavigation = { [weak view] event in
                if case .committed = event { return }
                view?.onNavigation = nil
                continuation.resume()
            }
            view.load(url)
        }
    }

    /// One line for each, in the order of their names.
    func printCookies() async {
        let cookies = await withCheckedContinuation { continuation in
            store.readCookies { continuation.resume(returning: $0 ?? []) }
        }
        for cookie in cookies.sorted(by: { $0.name < $1.name }) {
            print(
                cookie.pair, cookie.isPersistent ? "persistent" : "session", cookie.isSecure ? "Secure" : "-",
                cookie.isHTTPOnly ? "HttpOnly" : "-", cookie.sameSite.rawValue)
        }
        print("end")
        fflush(nil)
    }

    func stay() async {
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
}
