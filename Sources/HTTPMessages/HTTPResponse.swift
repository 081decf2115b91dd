/// The head of a response: its status and its header fields.
///
///     let response = HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"])
public struct HTTPResponse: Hashable, Sendable {
    /// What has come of the request.
    public var status: Status
    /// In the order in which they came.
    public var headerFields: HTTPFields

    /// For a transport of your own, and for tests.
    public init(status: Status, headerFields: HTTPFields = [:]) {
        self.status = status
        self.headerFields = headerFields
    }
}

extension HTTPResponse {
    /// A status code and the phrase that goes with it. Two are the same when their codes are.
    ///
    ///     let teapot = HTTPResponse.Status(code: 418, reasonPhrase: "I'm a teapot")
    public struct Status: Sendable, CustomStringConvertible {
        /// Three digits.
        public let code: Int
        /// For people. Servers leave it out, and nothing is decided by it.
        public let reasonPhrase: String

        /// Traps on a code that has not three digits.
        public init(code: Int, reasonPhrase: String) {
            precondition((100...999).contains(code), "a status code has three digits")
            self.code = code
            self.reasonPhrase = reasonPhrase
        }

        /// The code and the phrase.
        public var description: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)" }
    }
}

extension HTTPResponse.Status: Hashable {
    /// By the code alone.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    /// By the code alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension HTTPResponse.Status {
    package static let `continue` = Self(code: 100, reasonPhrase: "Continue")
    /// 200: done.
    public static let ok = Self(code: 200, reasonPhrase: "OK")
    /// 201: done, and something new is there, at `Location`.
    public static let created = Self(code: 201, reasonPhrase: "Created")
    /// 204: done, and there is nothing to say.
    public static let noContent = Self(code: 204, reasonPhrase: "No Content")
    /// 302: for now it is elsewhere, at `Location`.
    public static let found = Self(code: 302, reasonPhrase: "Found")
    /// 303: the answer is elsewhere, to be fetched by GET.
    public static let seeOther = Self(code: 303, reasonPhrase: "See Other")
    /// 304: what is cached is still right.
    public static let notModified = Self(code: 304, reasonPhrase: "Not Modified")
    /// 400: the request makes no sense.
    public static let badRequest = Self(code: 400, reasonPhrase: "Bad Request")
    /// 401: no credentials, or none that hold; a session refreshes, and tries once more.
    public static let unauthorized = Self(code: 401, reasonPhrase: "Unauthorized")
    /// 403: not with these credentials.
    public static let forbidden = Self(code: 403, reasonPhrase: "Forbidden")
    /// 404: nothing is there.
    public static let notFound = Self(code: 404, reasonPhrase: "Not Found")
    /// 405: not by this method; `Allow` names others.
    public static let methodNotAllowed = Self(code: 405, reasonPhrase: "Method Not Allowed")
    package static let requestTimeout = Self(code: 408, reasonPhrase: "Request Timeout")
    /// 409: the state of the resource is against it.
    public static let conflict = Self(code: 409, reasonPhrase: "Conflict")
    package static let gone = Self(code: 410, reasonPhrase: "Gone")
    package static let contentTooLarge = Self(code: 413, reasonPhrase: "Content Too Large")
    package static let uriTooLong = Self(code: 414, reasonPhrase: "URI Too Long")
    package static let expectationFailed = Self(code: 417, reasonPhrase: "Expectation Failed")
    /// 429: later, as `Retry-After` says (RFC 6585 section 4).
    public static let tooManyRequests = Self(code: 429, reasonPhrase: "Too Many Requests")
    package static let requestHeaderFieldsTooLarge = Self(code: 431, reasonPhrase: "Request Header Fields Too Large")
    /// 500: the server failed.
    public static let internalServerError = Self(code: 500, reasonPhrase: "Internal Server Error")
    package static let notImplemented = Self(code: 501, reasonPhrase: "Not Implemented")
    /// 502: a server behind the server failed.
    public static let badGateway = Self(code: 502, reasonPhrase: "Bad Gateway")
    /// 503: later, as `Retry-After` says.
    public static let serviceUnavailable = Self(code: 503, reasonPhrase: "Service Unavailable")
    package static let httpVersionNotSupported = Self(code: 505, reasonPhrase: "HTTP Version Not Supported")
}
