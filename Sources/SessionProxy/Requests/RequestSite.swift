import HTTPMessages
import Primitives

/// Who made the browser send a request, as the browser says it, which no page can change.
///
/// The session's cookie comes along whoever made the browser send it. `Origin` says who, with everything that changes something
/// (Fetch section 3.1); `Sec-Fetch-Site` says it where there is no origin (Fetch Metadata section 2.3).
enum RequestSite: Hashable, Sendable {
    /// A page of the proxy's own origin.
    case own
    /// The user himself: an address that was typed, a bookmark.
    case user
    /// A page of another origin: a neighbour on the same site, too.
    case foreign
    /// No browser of today.
    case unknown

    init(_ fields: HTTPFields, at origin: PublicOrigin) {
        let site = fields[.secFetchSite]
        if let named = fields[.origin] {
            let isSameSite = site.map { sameText($0, "same-origin") }
            // `null` by itself is nobody: a sandboxed frame, or a redirect from elsewhere. With the other it is a page of ours that
            // asks for `Referrer-Policy: no-referrer` (Fetch section 3.1).
            let isOwn =
                sameText(named, "null") ? isSameSite == true : sameText(named, origin.text) && isSameSite != false
            self = isOwn ? .own : .foreign
            return
        }
        switch site {
        case nil: self = .unknown
        case "same-origin": self = .own
        case "none": self = .user
        default: self = .foreign
        }
    }
}
