import Cookies
import Primitives

/// Where a cookie belongs whose upstream is below a path that browsers do not know of.
///
/// A browser sends a cookie to paths that match the cookie's (RFC 6265bis section 5.1.4), and goes by the paths that it asks for: of an
/// upstream at `/base`, that of `Path=/base/shop` has to be `/shop`.
struct UpstreamCookiePath: Sendable {
    let upstream: UpstreamAddress

    /// What the browser gets; `nil`: it is for paths that the proxy leads nowhere near, and would be sent to others.
    ///
    /// Without a path a cookie gets that of the request (section 5.1.4), which is the browser's already.
    func returned(_ field: String) -> String? {
        guard !upstream.basePath.isEmpty, let cookie = try? SetCookie(parsing: field), let path = cookie.path,
            !Self.isBoundToTheRoot(cookie.name)
        else { return field }
        guard let mapped = mapped(path) else { return nil }
        return sameText(mapped, path) ? field : Self.replacingPath(of: field, by: mapped)
    }

    private func mapped(_ path: String) -> String? {
        let base = upstream.basePath.utf8
        if path.utf8.starts(with: base) {
            let rest = path.utf8.dropFirst(base.count)
            if rest.isEmpty { return "/" }
            if rest.first == UInt8(ascii: "/") { return String(Substring(rest)) }
        }
        // All that is below the upstream's path matches what is above it.
        let isAbove =
            base.starts(with: path.utf8)
            && (path.utf8.last == UInt8(ascii: "/") || base.dropFirst(path.utf8.count).first == UInt8(ascii: "/"))
        return isAbove ? "/" : nil
    }

    /// Section 4.1.3.2: a name with this prefix wants the path `/`, and browsers refuse any other. What they would have refused they must
    /// not be made to take.
    private static func isBoundToTheRoot(_ name: String) -> Bool { name.lowercased().hasPrefix("__host-") }

    /// Section 5.6: of several, the last counts; what is longer than an attribute may be counts for nothing.
    private static func replacingPath(of field: String, by path: String) -> String {
        var parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        guard let index = parts.indices.dropFirst().last(where: { isPath(parts[$0]) }) else { return field }
        parts[index] = " Path=" + path
        return parts.joined(separator: ";")
    }

    private static func isPath(_ attribute: String) -> Bool {
        guard let read = try? SetCookie(parsing: "a=b;" + attribute) else { return false }
        return read.path != nil
    }
}
