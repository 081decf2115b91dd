/// The head of a request: what HTTP calls its control data, and its header fields.
///
/// In the shape of the ecosystem's type of the same name: the authority is a property, not a `Host` field.
public struct HTTPRequest: Hashable, Sendable {
    public var method: Method
    /// `http` or `https`; `nil` where the target named none.
    public var scheme: String?
    /// The host and port that the request is for: from the target when it is in absolute form, else from `Host`.
    public var authority: String?
    /// Path and query as they stood in the target, undecoded; `*` for a server-wide `OPTIONS`.
    public var path: String?
    public var headerFields: HTTPFields

    public init(
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
    public struct Method: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        /// `nil` unless the text is a token of RFC 9110 section 5.6.2.
        public init?(_ method: String) {
            guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenByte) else { return nil }
            rawValue = method
        }

        /// For bytes that the caller has already found to be a token.
        public init(validated bytes: UnsafeBufferPointer<UInt8>) {
            rawValue = String(decoding: bytes, as: UTF8.self)
        }

        private init(unchecked method: String) {
            rawValue = method
        }

        public var description: String { rawValue }

        public static let get = Self(unchecked: "GET")
        public static let head = Self(unchecked: "HEAD")
        public static let post = Self(unchecked: "POST")
        public static let put = Self(unchecked: "PUT")
        public static let patch = Self(unchecked: "PATCH")
        public static let delete = Self(unchecked: "DELETE")
        public static let options = Self(unchecked: "OPTIONS")
        public static let connect = Self(unchecked: "CONNECT")
    }
}
