import HTTPMessages
import OAuth
import Primitives

/// Why the control API refused, in the words that the endpoints of OAuth use, and where in the body the reason is.
struct ControlError: Error, Sendable {
    let status: HTTPResponse.Status
    let code: String
    let description: String
    /// The member that is wrong; `nil` when it is none of the body's.
    var path: JSONPath?
    var fields: HTTPFields = [:]

    static func invalid(_ path: JSONPath?, _ description: String) -> ControlError {
        ControlError(status: .badRequest, code: "invalid_request", description: description, path: path)
    }

    static func notFound(_ description: String) -> ControlError {
        ControlError(status: .notFound, code: "not_found", description: description)
    }

    static func conflict(_ description: String, at path: JSONPath? = nil) -> ControlError {
        ControlError(status: ControlStatus.conflict, code: "conflict", description: description, path: path)
    }

    /// All places for those who wait are taken.
    static func crowded(_ count: Int) -> ControlError {
        ControlError(
            status: .serviceUnavailable, code: "temporarily_unavailable",
            description: "\(count) wait already, and no more can: nothing is known of what would have come")
    }

    static func forbidden(_ description: String) -> ControlError {
        ControlError(status: .forbidden, code: "access_denied", description: description)
    }

    init(
        status: HTTPResponse.Status, code: String, description: String, path: JSONPath? = nil, fields: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.description = description
        self.path = path
        self.fields = fields
    }

    init(_ error: OAuthError) {
        self.init(
            status: HTTPResponse.Status(errorCode: error.code.status), code: error.code.rawValue,
            description: error.publicDescription)
    }

    /// - Parameter consequence: what there is not, because there is no key.
    init(_ error: KeySupplyError, _ consequence: String) {
        self = error.isRefusal ? .conflict(error.description) : ControlError(error.unavailable(consequence))
    }

    var response: ServerResponse {
        var body: JSONObject = ["error": .string(code), "error_description": .string(description)]
        if let path { body["path"] = .string(path.description) }
        var headerFields = ResponseFields.neverStored
        headerFields[.retryAfter] = ErrorResponse.retryAfter(status)
        for field in fields { headerFields.append(field) }
        return ServerResponse(
            status: status, headerFields: headerFields, body: .bytes(JSON.object(body).serialised()))
    }
}
