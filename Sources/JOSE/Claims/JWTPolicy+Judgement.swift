import Primitives

extension JWTPolicy {
    /// RFC 8725 section 3.11: the type keeps one sort of token from passing for another. RFC 7515 section 4.1.9: media
    /// types are compared without regard to case, and `application/` may be left out.
    func requireType(_ type: String?) throws(JWTError) {
        guard case .exactly(let expected) = self.type else { return }
        guard let type else { throw .typeMissing }
        guard sameText(Self.mediaType(type), Self.mediaType(expected)) else { throw .wrongType(expected: expected) }
    }

    private static func mediaType(_ name: String) -> String {
        let lowercased = String(decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
        let prefix = "application/"
        guard lowercased.hasPrefix(prefix) else { return lowercased }
        let rest = lowercased.dropFirst(prefix.count)
        return rest.utf8.contains(UInt8(ascii: "/")) ? lowercased : String(rest)
    }

    /// Everything but the signature and the type.
    func requireClaims(_ claims: JWTClaims, at now: Timestamp) throws(JWTError) {
        for name in requiredClaims where claims.members[name] == nil { throw .missingClaim(name) }
        try requireIssuer(claims)
        try requireAudience(claims)
        try requireDates(claims, at: now)
    }

    /// RFC 7519 section 4.1.1, and section 2: StringOrURI values are compared as case-sensitive strings with no
    /// transformations or canonicalisations applied.
    private func requireIssuer(_ claims: JWTClaims) throws(JWTError) {
        guard case .exactly(let expected) = issuer else { return }
        guard let issuer = claims.issuer else { throw .missingClaim("iss") }
        guard sameText(issuer, expected) else { throw .wrongIssuer }
    }

    /// RFC 7519 section 4.1.3: if the principal processing the claim does not identify itself with a value in `aud`,
    /// then the JWT MUST be rejected.
    private func requireAudience(_ claims: JWTClaims) throws(JWTError) {
        guard case .oneOf(let accepted) = audience else { return }
        guard let audience = claims.audience else { throw .missingClaim("aud") }
        let isMeant = audience.contains { named in accepted.contains { sameText($0, named) } }
        guard isMeant else { throw .wrongAudience }
    }

    /// Moves the dates rather than the clock by the leeway, which keeps every comparison a single one.
    private func requireDates(_ claims: JWTClaims, at now: Timestamp) throws(JWTError) {
        // RFC 7519 section 4.1.4: the current date/time MUST be before the expiration date/time.
        if let expires = claims.expires, now >= expires + leeway { throw .expired }
        // RFC 7519 section 4.1.5: the current date/time MUST be after or equal to the not-before date/time.
        if let notBefore = claims.notBefore, now < notBefore - leeway { throw .notYetValid }
        if let issuedAt = claims.issuedAt, now < issuedAt - leeway { throw .issuedInTheFuture }
        if let maximumAge {
            guard let issuedAt = claims.issuedAt else { throw .missingClaim("iat") }
            guard now <= issuedAt + maximumAge + leeway else { throw .tooOld }
        }
    }
}
