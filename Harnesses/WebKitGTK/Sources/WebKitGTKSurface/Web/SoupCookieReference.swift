import CWebKitGTK
import Cookies
import Primitives

/// Owns a cookie of libsoup.
@GLibActor
final class SoupCookieReference {
    nonisolated(unsafe) let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// `nil`: libsoup cannot have such a cookie.
    init?(_ cookie: Cookie) {
        let domain = cookie.isHostOnly ? cookie.domain : "." + cookie.domain
        guard let pointer = soup_cookie_new(cookie.name, cookie.value, domain, cookie.path, -1) else { return nil }
        self.pointer = pointer
        soup_cookie_set_secure(pointer, cookie.isSecure ? 1 : 0)
        soup_cookie_set_http_only(pointer, cookie.isHTTPOnly ? 1 : 0)
        soup_cookie_set_same_site_policy(pointer, cookie.sameSite.policy)
        if let expires = cookie.expires {
            let date = g_date_time_new_from_unix_utc(gint64(expires.secondsSinceEpoch))
            soup_cookie_set_expires(pointer, date)
            g_date_time_unref(date)
        }
    }

    deinit { soup_cookie_free(pointer) }
}

extension Cookie {
    /// When it was created, WebKit does not say.
    @GLibActor
    init?(_ cookie: OpaquePointer, at now: Timestamp) {
        guard let name = soup_cookie_get_name(cookie), let value = soup_cookie_get_value(cookie),
            let domain = soup_cookie_get_domain(cookie).map({ String(cString: $0) }),
            let path = soup_cookie_get_path(cookie)
        else { return nil }
        let expires = soup_cookie_get_expires(cookie).map {
            Timestamp(secondsSinceEpoch: Int64(g_date_time_to_unix($0)))
        }
        self.init(
            name: String(cString: name), value: String(cString: value),
            domain: domain.hasPrefix(".") ? String(domain.dropFirst()) : domain, isHostOnly: !domain.hasPrefix("."),
            path: String(cString: path), expires: expires, isSecure: soup_cookie_get_secure(cookie) != 0,
            isHTTPOnly: soup_cookie_get_http_only(cookie) != 0,
            sameSite: SameSite(soup_cookie_get_same_site_policy(cookie)), at: now)
    }
}

extension Cookie.SameSite {
    /// libsoup takes one that says nothing for `None`, against RFC 6265bis section 5.4.7.1, and gives it back as that. What comes
    /// from the app is written as the standard has it enforced.
    fileprivate var policy: SoupSameSitePolicy {
        switch self {
        case .strict: SOUP_SAME_SITE_POLICY_STRICT
        case .lax, .unspecified: SOUP_SAME_SITE_POLICY_LAX
        case .none: SOUP_SAME_SITE_POLICY_NONE
        }
    }

    fileprivate init(_ policy: SoupSameSitePolicy) {
        self =
            switch policy {
            case SOUP_SAME_SITE_POLICY_STRICT: .strict
            case SOUP_SAME_SITE_POLICY_LAX: .lax
            default: .none
            }
    }
}
