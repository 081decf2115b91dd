/// The head of a request: what HTTP calls its control data, and its header fields.
///
/// In the shape of the ecosystem's type of the same name: the authority is a property, not a `Host` field.
///
///     let request = HTTPRequest(
///         method: .get, scheme: "https", authority: "api.example", path: "/account",
///         headerFields: [.accept: "application/json"])
public struct HTTPRequest: Hashable, Sendable {
    /// What is to be done.
    public var method: Method
    /// `http` or `https`; `nil` where the target named none.
    public var scheme: String?
    /// The host and port that the request is for: from the target when it is in absolute form, else from `Host`.
    public var authority: String?
    /// Path and query as they stood in the target, undecoded; `*` for a server-wide `OPTIONS`.
    public var path: String?
    /// Without `Host`.
    public var headerFields: HTTPFields

    /// The path is with the query, and never empty; `/` where a URL has none.
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
    ///
    ///     let report = HTTPRequest.Method("REPORT")
    public struct Method: Hashable, Sendable, CustomStringConvertible {
        /// As it stands on the wire.
        public let rawValue: String

        /// `nil` unless the text is a token of RFC 9110 section 5.6.2.
        public init?(_ method: String) {
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

        /// As it stands on the wire.
        public var description: String { rawValue }

        /// Reads (RFC 9110 section 9.3.1).
        public static let get = Self(unchecked: "GET")
        /// Reads the head alone (RFC 9110 section 9.3.2).
        public static let head = Self(unchecked: "HEAD")
        /// Has a body worked on; twice is not once (RFC 9110 section 9.3.3).
        public static let post = Self(unchecked: "POST")
        /// Replaces; twice is once (RFC 9110 section 9.3.4).
        public static let put = Self(unchecked: "PUT")
        /// Changes a part (RFC 5789).
        public static let patch = Self(unchecked: "PATCH")
        /// Removes (RFC 9110 section 9.3.5).
        public static let delete = Self(unchecked: "DELETE")
        /// Asks what is possible (RFC 9110 section 9.3.7).
        public static let options = Self(unchecked: "OPTIONS")
        package static let connect = Self(unchecked: "CONNECT")
    }
}
