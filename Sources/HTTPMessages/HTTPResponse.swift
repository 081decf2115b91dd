/// The head of a response: its status and its header fields.
package struct HTTPResponse: Hashable, Sendable {
    package var status: Status
    package var headerFields: HTTPFields

    package init(status: Status, headerFields: HTTPFields = [:]) {
        self.status = status
        self.headerFields = headerFields
    }
}

extension HTTPResponse {
    /// A status code and the phrase that goes with it. Two are the same when their codes are.
    package struct Status: Sendable, CustomStringConvertible {
        package let code: Int
        package let reasonPhrase: String

        package init(code: Int, reasonPhrase: String) {
            precondition((100...999).contains(code), "a status code has three digits")
            self.code = code
            self.reasonPhrase = reasonPhrase
        }

        package var description: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)" }
    }
}

extension HTTPResponse.Status: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension HTTPResponse.Status {
    package static let `continue` = Self(code: 100, reasonPhrase: "Continue")
    package static let ok = Self(code: 200, reasonPhrase: "OK")
    package static let created = Self(code: 201, reasonPhrase: "Created")
    package static let noContent = Self(code: 204, reasonPhrase: "No Content")
    package static let found = Self(code: 302, reasonPhrase: "Found")
    package static let seeOther = Self(code: 303, reasonPhrase: "See Other")
    package static let notModified = Self(code: 304, reasonPhrase: "Not Modified")
    package static let badRequest = Self(code: 400, reasonPhrase: "Bad Request")
    package static let unauthorized = Self(code: 401, reasonPhrase: "Unauthorized")
    package static let forbidden = Self(code: 403, reasonPhrase: "Forbidden")
    package static let notFound = Self(code: 404, reasonPhrase: "Not Found")
    package static let methodNotAllowed = Self(code: 405, reasonPhrase: "Method Not Allowed")
    package static let requestTimeout = Self(code: 408, reasonPhrase: "Request Timeout")
    package static let conflict = Self(code: 409, reasonPhrase: "Conflict")
    package static let contentTooLarge = Self(code: 413, reasonPhrase: "Content Too Large")
    package static let uriTooLong = Self(code: 414, reasonPhrase: "URI Too Long")
    package static let expectationFailed = Self(code: 417, reasonPhrase: "Expectation Failed")
    package static let tooManyRequests = Self(code: 429, reasonPhrase: "Too Many Requests")
    package static let requestHeaderFieldsTooLarge = Self(code: 431, reasonPhrase: "Request Header Fields Too Large")
    package static let internalServerError = Self(code: 500, reasonPhrase: "Internal Server Error")
    package static let notImplemented = Self(code: 501, reasonPhrase: "Not Implemented")
    package static let badGateway = Self(code: 502, reasonPhrase: "Bad Gateway")
    package static let serviceUnavailable = Self(code: 503, reasonPhrase: "Service Unavailable")
    package static let httpVersionNotSupported = Self(code: 505, reasonPhrase: "HTTP Version Not Supported")
}
