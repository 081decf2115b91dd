/// The head of a response: its status and its header fields.
public struct HTTPResponse: Hashable, Sendable {
    public var status: Status
    public var headerFields: HTTPFields

    public init(status: Status, headerFields: HTTPFields = [:]) {
        self.status = status
        self.headerFields = headerFields
    }
}

extension HTTPResponse {
    /// A status code and the phrase that goes with it. Two are the same when their codes are.
    public struct Status: Sendable, CustomStringConvertible {
        public let code: Int
        public let reasonPhrase: String

        public init(code: Int, reasonPhrase: String) {
            precondition((100...999).contains(code), "a status code has three digits")
            self.code = code
            self.reasonPhrase = reasonPhrase
        }

        public var description: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)" }
    }
}

extension HTTPResponse.Status: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension HTTPResponse.Status {
    public static let `continue` = Self(code: 100, reasonPhrase: "Continue")
    public static let ok = Self(code: 200, reasonPhrase: "OK")
    public static let created = Self(code: 201, reasonPhrase: "Created")
    public static let noContent = Self(code: 204, reasonPhrase: "No Content")
    public static let found = Self(code: 302, reasonPhrase: "Found")
    public static let seeOther = Self(code: 303, reasonPhrase: "See Other")
    public static let notModified = Self(code: 304, reasonPhrase: "Not Modified")
    public static let badRequest = Self(code: 400, reasonPhrase: "Bad Request")
    public static let unauthorized = Self(code: 401, reasonPhrase: "Unauthorized")
    public static let forbidden = Self(code: 403, reasonPhrase: "Forbidden")
    public static let notFound = Self(code: 404, reasonPhrase: "Not Found")
    public static let methodNotAllowed = Self(code: 405, reasonPhrase: "Method Not Allowed")
    public static let requestTimeout = Self(code: 408, reasonPhrase: "Request Timeout")
    public static let conflict = Self(code: 409, reasonPhrase: "Conflict")
    public static let contentTooLarge = Self(code: 413, reasonPhrase: "Content Too Large")
    public static let uriTooLong = Self(code: 414, reasonPhrase: "URI Too Long")
    public static let expectationFailed = Self(code: 417, reasonPhrase: "Expectation Failed")
    public static let tooManyRequests = Self(code: 429, reasonPhrase: "Too Many Requests")
    public static let requestHeaderFieldsTooLarge = Self(code: 431, reasonPhrase: "Request Header Fields Too Large")
    public static let internalServerError = Self(code: 500, reasonPhrase: "Internal Server Error")
    public static let notImplemented = Self(code: 501, reasonPhrase: "Not Implemented")
    public static let badGateway = Self(code: 502, reasonPhrase: "Bad Gateway")
    public static let serviceUnavailable = Self(code: 503, reasonPhrase: "Service Unavailable")
    public static let httpVersionNotSupported = Self(code: 505, reasonPhrase: "HTTP Version Not Supported")
}
