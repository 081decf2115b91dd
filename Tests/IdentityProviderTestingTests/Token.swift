import Foundation
import IdentityProviderTesting

/// What stands in a token.
struct Token {
    let header: [String: String]
    /// Those that are texts or whole numbers.
    let claims: [String: JSONValue]

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]) as? [String: String],
            let claims = Self.object(parts[1])
        else { return nil }
        self.header = header
        self.claims = claims.compactMapValues { value in
            (value as? String).map { .string($0) } ?? (value as? Int64).map { .integer($0) }
        }
    }

    private static func object(_ part: Substring) -> [String: Any]? {
        var encoded = String(part).replacing("-", with: "+").replacing("_", with: "/")
        while encoded.count % 4 != 0 { encoded += "=" }
        return Data(base64Encoded: encoded).flatMap {
            try? JSONSerialization.jsonObject(with: $0) as? [String: Any]
        }
    }
}
