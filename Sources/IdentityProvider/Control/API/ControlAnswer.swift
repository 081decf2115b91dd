import HTTPMessages
import Primitives

/// What an operation of the control API gives back.
enum ControlAnswer: Sendable {
    case json(JSON)
    case created(JSON)
    case none

    var response: ServerResponse {
        switch self {
        case .json(let json): Self.response(.ok, json)
        case .created(let json): Self.response(ControlStatus.created, json)
        case .none: ServerResponse(status: .noContent, headerFields: [.cacheControl: "no-store", .vary: "Origin"])
        }
    }

    private static func response(_ status: HTTPResponse.Status, _ json: JSON) -> ServerResponse {
        ServerResponse(status: status, headerFields: ResponseFields.neverStored, body: .bytes(json.serialised()))
    }
}
