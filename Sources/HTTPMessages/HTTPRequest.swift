/// The head of a request: what HTTP calls its control data, and its header fields.
///
/// In the shape of the ecosystem's type of the same name: the authority is a property, not a `Host` field.
package struct HTTPRequest: Hashable, Sendable {
    package var method: Method
    /// `http` or `https`; `nil` where the target named none.
    package var scheme: String?
    /// The host and port that the request is for: from the target when it is in absolute form, else from `Host`.
    package var authority: String?
    /// Path and query as they stood in the target, undecoded; `*` for a server-wide `OPTIONS`.
    package var path: String?
    package var headerFields: HTTPFields

    package init(
        method: Method, scheme: String?, authority: String?, path: String?, headerFields: HTTPFields = [:]
    ) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.headerFields = headerFields
    }
}

extension HTTPRequest {
    /// A request method: case-sensitive, any token.
    package struct Method: Hashable, Sendable, CustomStringConvertible {
        package let rawValue: String

        /// `nil` unless the text is a token of RFC 9110 section 5.6.2.
        package init?(_ method: String) {
            guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenByte) else { return nil }
            rawValue = method
        }

        /// For bytes that the caller has already found to be a token.
        package init(validated bytes: UnsafeBufferPointer<UInt8>) {
            rawValue = String(decoding: bytes, as: UTF8.self)
        }

        private init(unchecked method: String) {
            rawValue = method
        }

        package var description: String { rawValue }

        package static let get = Self(unchecked: "GET")
        package static let head = Self(unchecked: "HEAD")
        package static let post = Self(unchecked: "POST")
        package static let put = Self(unchecked: "PUT")
        package static let patch = Self(unchecked: "PATCH")
        package static let delete = Self(unchecked: "DELETE")
        package static let options = Self(unchecked: "OPTIONS")
        package static let connect = Self(unchecked: "CONNECT")
    }
}
