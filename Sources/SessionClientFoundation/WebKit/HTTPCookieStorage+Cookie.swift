#if canImport(WebKit)
import Cookies
import Foundation
import Primitives
import WebKit

/// The app's own requests, where `URLSession` keeps their cookies.
///
/// An ephemeral configuration without a storage needs none of this, and is what the session client uses itself. It is here
/// for apps whose other requests go by a storage that they share.
extension HTTPCookieStorage {
    /// What is in it, without what no user agent may have.
    package func cookies(at now: Timestamp) -> [Cookie] {
        (cookies ?? []).compactMap { Cookie($0, at: now) }
    }

    /// Makes changes, deletions included.
    package func apply(_ changes: [CookieChange]) {
        for change in changes {
            switch change {
            case .set(let cookie): cookie.httpCookie().map(setCookie)
            case .expire(let identity): identity.httpCookie().map(deleteCookie)
            }
        }
    }
}
#endif
