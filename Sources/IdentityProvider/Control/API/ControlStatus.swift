import HTTPMessages

/// The statuses that the control API answers with, besides the common ones (RFC 9110 section 15).
enum ControlStatus {
    static let created = HTTPResponse.Status(code: 201, reasonPhrase: "Created")
    static let conflict = HTTPResponse.Status(code: 409, reasonPhrase: "Conflict")
    static let unsupportedMediaType = HTTPResponse.Status(code: 415, reasonPhrase: "Unsupported Media Type")
}
