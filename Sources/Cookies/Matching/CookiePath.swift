/// The paths of cookies (RFC 6265bis section 5.1.4), compared as they were written: nothing is decoded.
package enum CookiePath {
    /// Where a cookie belongs whose server has said nothing, by the path of the request.
    package static func defaultPath(of path: String) -> String {
        let bytes = path.utf8
        guard bytes.first == UInt8(ascii: "/"), let last = bytes.lastIndex(of: UInt8(ascii: "/")),
            last != bytes.startIndex
        else { return "/" }
        return String(path[..<last])
    }

    /// Whether a request for `path` is one for what lies below the path of the cookie.
    package static func matches(_ path: String, cookiePath: String) -> Bool {
        let (path, cookiePath) = (path.utf8, cookiePath.utf8)
        guard path.starts(with: cookiePath) else { return false }
        guard path.count > cookiePath.count else { return true }
        let next = path[path.index(path.startIndex, offsetBy: cookiePath.count)]
        return cookiePath.last == UInt8(ascii: "/") || next == UInt8(ascii: "/")
    }
}
