import HTTPMessages

/// A request target taken apart into the parts of the URI that it stands for (RFC 9112 section 3.2).
struct RequestTarget {
    var scheme: String?
    /// Set when the target is in absolute form: it then counts, and `Host` does not (section 3.2.2).
    var authority: String?
    var path: String

    /// - Parameter target: visible ASCII, not empty, without `#`.
    @inline(__always)
    init(_ target: UnsafeBufferPointer<UInt8>, method: HTTPRequest.Method) throws(WireError) {
        // The authority form is for CONNECT only, and CONNECT takes no other (section 3.2.3). It is answered with
        // 501, not 405, which would promise that it works on some resource.
        if method == .connect {
            guard AuthoritySyntax.isValid(target), target.contains(ASCII.colon) else { throw .badTarget }
            throw .connectNotSupported
        }
        if target[0] == ASCII.slash {
            path = String(ascii: target)
        } else if target[0] == ASCII.asterisk {
            // Section 3.2.4: the asterisk form is for OPTIONS only.
            guard target.count == 1, method == .options else { throw .badTarget }
            path = "*"
        } else {
            self = try Self.absolute(target, method: method)
        }
    }

    private init(scheme: String, authority: String, path: String) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
    }

    private static func absolute(
        _ target: UnsafeBufferPointer<UInt8>, method: HTTPRequest.Method
    ) throws(WireError) -> Self {
        let scheme: String
        let start: Int
        if target.hasPrefix("http://") {
            scheme = "http"
            start = 7
        } else if target.hasPrefix("https://") {
            scheme = "https"
            start = 8
        } else {
            throw .badTarget
        }
        var end = start
        while end < target.count, target[end] != ASCII.slash, target[end] != ASCII.questionMark { end += 1 }
        let host = target[part: start..<end]
        guard AuthoritySyntax.isValid(host) else { throw .badTarget }
        var path = String(ascii: target[part: end..<target.count])
        if path.isEmpty {
            // Section 3.2.4: for OPTIONS it is what a proxy would have sent us as the asterisk form.
            path = method == .options ? "*" : "/"
        } else if target[end] == ASCII.questionMark {
            path = "/" + path
        }
        return Self(scheme: scheme, authority: String(ascii: host), path: path)
    }
}
