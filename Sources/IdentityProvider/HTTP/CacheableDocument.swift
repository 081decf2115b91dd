import Crypto
import HTTPMessages
import Primitives

/// A JSON document that stays the same for a while and is the same for everybody: its bytes, its tag and its header are
/// made once.
package final class CacheableDocument: Sendable {
    package let bytes: [UInt8]
    /// A strong validator (RFC 9110 section 8.8.3): the same bytes have the same tag, on every machine.
    package let entityTag: String
    private let fields: HTTPFields
    private let fieldsWhenUnchanged: HTTPFields

    init(json: JSON, maximumAge: Duration) {
        let bytes = json.serialised()
        let digest = HashFunction.sha256.digest(bytes.span)
        self.bytes = bytes
        entityTag = "\"" + Base64URL.encode(Array(digest.prefix(16))) + "\""
        // RFC 9110 section 15.4.5: a 304 carries the fields that would have come with a 200 and guide a cache.
        fieldsWhenUnchanged = [
            .cacheControl: "public, max-age=\(maximumAge.inSeconds)",
            .eTag: entityTag,
            .accessControlAllowOrigin: CrossOrigin.everybody,
        ]
        var fields: HTTPFields = [.contentType: "application/json", .contentTypeOptions: "nosniff"]
        for field in fieldsWhenUnchanged { fields.append(field) }
        self.fields = fields
    }

    /// The document, or 304 to whoever has it already.
    func response(to request: ServerRequest) -> ServerResponse {
        if let condition = request.head.headerFields[.ifNoneMatch], isNamed(in: condition) {
            return ServerResponse(status: .notModified, headerFields: fieldsWhenUnchanged)
        }
        return ServerResponse(status: .ok, headerFields: fields, body: .bytes(bytes))
    }

    /// RFC 9110 section 13.1.2: `*`, or a list of tags compared weakly. Our own tag holds no comma, so that splitting
    /// there cannot make it appear in another's.
    private func isNamed(in condition: String) -> Bool {
        condition.split(separator: ",").contains { candidate in
            var tag = candidate[...]
            while tag.first == " " || tag.first == "\t" { tag = tag.dropFirst() }
            while tag.last == " " || tag.last == "\t" { tag = tag.dropLast() }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tag == entityTag || tag == "*"
        }
    }
}
