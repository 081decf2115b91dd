import HTTPMessages
import OAuth
import Primitives

/// The JSON object that a client sends to register (RFC 7591 section 3.1).
enum RegistrationBody {
    /// 64 KiB, 12 deep, 16 KiB in one text, 512 members of one object.
    private static let limits = JSONLimits(bytes: 1 << 16, depth: 12, stringBytes: 1 << 14, members: 512)

    static func members(of request: ServerRequest) throws(RegistrationRefusal) -> JSONObject {
        guard request.head.headerFields[.contentType].map(MediaType.isJSON) == true else {
            throw .refused(OAuthError(.invalidClientMetadata, "the body must be application/json, and say so"))
        }
        let body = request.body
        let json: JSON
        do { json = try JSON(parsing: body.span, limits: limits) } catch {
            throw .refused(OAuthError(.invalidClientMetadata, "the body is not acceptable JSON: \(error)"))
        }
        guard let members = json.object else {
            throw .refused(OAuthError(.invalidClientMetadata, "the body must be a JSON object"))
        }
        return members
    }
}
