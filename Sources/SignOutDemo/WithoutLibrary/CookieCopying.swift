import Cookies
import SessionClient

/// Copies cookies between the app and the web view, as write-ups tell one to do:
///
///     for cookie in HTTPCookieStorage.shared.cookies ?? [] { await store.setCookie(cookie) }
///     for cookie in await store.allCookies() { HTTPCookieStorage.shared.setCookie(cookie) }
///
/// It is done as well as it can be: it waits until the cookies are there, which many do not, and what is new goes over what is
/// old. All the same there are two who have the refresh token.
struct CookieCopying {
    let app: HandWrittenApp
    let view: any WebSurface

    func copyIntoWebView() async {
        let cookies = await app.cookies
        await withCheckedContinuation { continuation in
            view.apply(cookies.map { .set($0) }) { continuation.resume() }
        }
    }

    func copyBack() async {
        let cookies = await withCheckedContinuation { continuation in
            view.readCookies { continuation.resume(returning: $0) }
        }
        if case .loaded(let cookies) = cookies { await app.take(cookies) }
    }

    /// After both have looked at something. Where both have new cookies, those of the app are taken for the newer ones.
    func copy(after app: Visit, _ page: Visit) async {
        if app == .refreshed {
            await copyIntoWebView()
        } else if page == .refreshed {
            await copyBack()
        }
    }
}
