import HTTPMessages
import Primitives

/// What an operation of the control API gives back.
enum ControlAnswer: Sendable {
    case json(JSON)
    case created(JSON)
    case none
    /// What is no JSON.
    case content(String, [UInt8])
    /// What has no end until one of the two wants it.
    case stream(String, @Sendable (any ServerBodyWriter) async throws -> Void)

    var response: ServerResponse {
        switch self {
        case .json(let json): Self.response(.ok, json)
        case .created(let json): Self.response(ControlStatus.created, json)
        case .none: ServerResponse(status: .noContent, headerFields: [.cacheControl: "no-store", .vary: "Origin"])
        case .content(let mediaType, let bytes): Self.response(mediaType, .bytes(bytes))
        case .stream(let mediaType, let produce): Self.response(mediaType, .stream(produce))
        }
    }

    private static func response(_ mediaType: String, _ body: ServerResponse.Body) -> ServerResponse {
        var fields: HTTPFields = [.cacheControl: "no-store", .vary: "Origin, Accept"]
        fields[.contentType] = mediaType
        return ServerResponse(status: .ok, headerFields: fields, body: body)
    }

    private static func response(_ status: HTTPResponse.Status, _ json: JSON) -> ServerResponse {
        ServerResponse(status: status, headerFields: ResponseFields.neverStored, body: .bytes(json.serialised()))
    }
}
