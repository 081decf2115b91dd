import HTTPMessages
import Primitives
import Testing

/// A response, ready to be looked at.
struct Answer {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]
    /// How it would have left; `nil`: as always.
    let manner: ResponseDelivery.Manner?

    init(_ response: ServerResponse) {
        status = response.head.status.code
        fields = response.head.headerFields
        manner = response.delivery?.manner
        if case .bytes(let bytes) = response.body { body = bytes } else { body = [] }
    }

    var json: JSON? { try? JSON(parsing: body.span) }
    var error: String? { json?["error"]?.string }
    var errorDescription: String { json?["error_description"]?.string ?? "" }

    func text(_ member: String) throws -> String { try #require(json?[member]?.string) }

    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
}
