import Primitives

extension Cookie: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, value, domain, hostOnly, path, expires, secure, httpOnly, sameSite, created
    }

    /// Whole, with its value: where this is kept is to be safe.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(domain, forKey: .domain)
        try container.encode(isHostOnly, forKey: .hostOnly)
        try container.encode(path, forKey: .path)
        // Milliseconds since 1970, as whole numbers: every encoder writes those alike, and none loses a digit.
        try container.encodeIfPresent(expires?.millisecondsSinceEpoch, forKey: .expires)
        try container.encode(isSecure, forKey: .secure)
        try container.encode(isHTTPOnly, forKey: .httpOnly)
        try container.encode(sameSite, forKey: .sameSite)
        try container.encode(created.millisecondsSinceEpoch, forKey: .created)
    }

    /// What no server can have set is refused: a saved cookie that somebody has changed must not become a second header
    /// field, or a cookie that its name promises it is not.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let expires = try container.decodeIfPresent(Int64.self, forKey: .expires)
        let created = try container.decode(Int64.self, forKey: .created)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            value: try container.decode(String.self, forKey: .value),
            domain: try container.decode(String.self, forKey: .domain),
            isHostOnly: try container.decode(Bool.self, forKey: .hostOnly),
            path: try container.decode(String.self, forKey: .path),
            expires: expires.map { Timestamp(millisecondsSinceEpoch: $0) },
            isSecure: try container.decode(Bool.self, forKey: .secure),
            isHTTPOnly: try container.decode(Bool.self, forKey: .httpOnly),
            sameSite: try container.decode(SameSite.self, forKey: .sameSite),
            at: Timestamp(millisecondsSinceEpoch: created))
        if let refusal = self.refusal {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: refusal.description))
        }
    }
}
