import Primitives

/// The claims of a token, of which those that RFC 7519 section 4.1 registers have been checked for their type.
package struct JWTClaims: Sendable, Equatable {
    /// All of them, as the token has them.
    package let members: JSONObject
    /// `iss`
    package let issuer: String?
    /// `sub`
    package let subject: String?
    /// `aud`, whether it was one string or an array.
    package let audience: [String]?
    /// `exp`; a fraction of a millisecond is rounded up, here and below.
    package let expires: Timestamp?
    /// `nbf`
    package let notBefore: Timestamp?
    /// `iat`
    package let issuedAt: Timestamp?
    /// `jti`
    package let tokenID: String?

    package init(_ members: JSONObject) throws(JWTError) {
        self.members = members
        issuer = try Self.text("iss", in: members)
        subject = try Self.text("sub", in: members)
        audience = try Self.audience(in: members)
        expires = try Self.date("exp", in: members)
        notBefore = try Self.date("nbf", in: members)
        issuedAt = try Self.date("iat", in: members)
        tokenID = try Self.text("jti", in: members)
    }

    init(parsing payload: Span<UInt8>) throws(JWTError) {
        let json: JSON
        do { json = try JSON(parsing: payload, limits: .claims) } catch { throw .claimsMalformed(error) }
        guard case .object(let members) = json else { throw .claimsNotAnObject }
        try self.init(members)
    }

    /// The claim of that name.
    package subscript(name: String) -> JSON? { members[name] }

    private static func text(_ name: String, in members: JSONObject) throws(JWTError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string else { throw .claimOfWrongType(name) }
        return text
    }

    /// RFC 7519 section 4.1.3: an array of strings or, with one audience, a single string.
    private static func audience(in members: JSONObject) throws(JWTError) -> [String]? {
        guard let value = members["aud"] else { return nil }
        if let single = value.string { return [single] }
        guard let elements = value.array else { throw .claimOfWrongType("aud") }
        var audience: [String] = []
        for element in elements {
            guard let name = element.string else { throw .claimOfWrongType("aud") }
            audience.append(name)
        }
        return audience
    }

    /// RFC 7519 section 2: a JSON numeric value.
    private static func date(_ name: String, in members: JSONObject) throws(JWTError) -> Timestamp? {
        guard let value = members[name] else { return nil }
        guard let number = value.number else { throw .claimOfWrongType(name) }
        guard let date = NumericDate(number) else { throw .dateOutOfRange(name) }
        return date.timestamp
    }
}

extension JSONLimits {
    static let claims = JSONLimits(depth: 32, members: 1000)
}
