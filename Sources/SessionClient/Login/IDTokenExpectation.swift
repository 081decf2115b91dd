import OAuth
import Primitives

/// What an ID token must say (OpenID Connect Core section 3.1.3.7).
///
/// The signature is not checked. Its item 6 lets the TLS server validation stand in for it where the token came straight from
/// the token endpoint, as all that are judged here do; so there are no keys to fetch, and no algorithm to choose. An ID token
/// from anywhere else, such as a browser, must never be judged here.
struct IDTokenExpectation: Sendable {
    let issuer: Issuer
    let clientID: String
    /// Whether there must be one: the scope `openid` was asked for.
    var isRequired: Bool
    /// What was sent with the authorization request, where there was one.
    var nonce: String?
    var maxAge: MaxAge?

    /// By how much the clocks of server and device may differ. Item 9 has `now` be before `exp`, and section 2 allows for "some
    /// small leeway, usually no more than a few minutes".
    static let leeway = Duration.seconds(300)
    /// Of a token.
    static let maximumByteCount = 64 << 10
    /// Section 2: `sub` MUST NOT exceed 255 ASCII characters.
    static let maximumSubjectByteCount = 255
    private static let limits = JSONLimits(bytes: maximumByteCount, depth: 16, members: 1000)

    func check(_ grant: TokenGrant) throws(IDTokenError) -> IDTokenClaims? {
        guard let token = grant.idToken else {
            guard !isRequired else { throw .missing }
            return nil
        }
        let members = try Self.payload(of: token)
        // A device whose clock is wrong can still sign in: the server has said what time it is.
        try check(members, at: grant.serverTime ?? grant.receivedAt)
        guard let subject = members["sub"]?.string, (1...Self.maximumSubjectByteCount).contains(subject.utf8.count)
        else {
            throw .missingClaim("sub")
        }
        return IDTokenClaims(subject: subject, members: members)
    }

    private func check(_ members: JSONObject, at now: Timestamp) throws(IDTokenError) {
        // Item 2: iss MUST exactly match the issuer.
        guard let named = members["iss"]?.string else { throw .missingClaim("iss") }
        guard sameText(named, issuer.identifier) else { throw .otherIssuer }
        try checkAudience(members)
        // Item 9: now MUST be before exp.
        guard let expires = Self.moment("exp", in: members) else { throw .missingClaim("exp") }
        guard now < expires + Self.leeway else { throw .expired }
        // Item 10, and section 2: iat is REQUIRED.
        guard let issued = Self.moment("iat", in: members) else { throw .missingClaim("iat") }
        guard issued <= now + Self.leeway else { throw .issuedInTheFuture }
        // Item 11: a nonce that was sent MUST be there, the same. It ties the token to this login of this app.
        if let nonce {
            guard let found = members["nonce"]?.string, constantTimeEquals(found, nonce) else {
                throw .otherNonce
            }
        }
        // Item 13: where max_age was asked for, the login must not be older.
        if let maxAge {
            guard let login = Self.moment("auth_time", in: members),
                now - login <= .seconds(maxAge.seconds) + Self.leeway
            else { throw .tooOldLogin }
        }
    }

    /// Items 3 to 5: aud MUST contain the client. Others beside it are trusted only where azp says that the token was made for
    /// this client.
    private func checkAudience(_ members: JSONObject) throws(IDTokenError) {
        let audiences: [String]
        switch members["aud"] {
        case .string(let one): audiences = [one]
        case .array(let several):
            audiences = several.compactMap(\.string)
            guard audiences.count == several.count else { throw .missingClaim("aud") }
        default: throw .missingClaim("aud")
        }
        guard audiences.contains(where: { sameText($0, clientID) }) else { throw .otherAudience }
        if !members.contains("azp"), audiences.count == 1 { return }
        guard let party = members["azp"]?.string, sameText(party, clientID) else { throw .otherAuthorizedParty }
    }

    private static func payload(of token: Secret) throws(IDTokenError) -> JSONObject {
        guard token.count <= maximumByteCount else { throw .malformed }
        let parts = token.withBytes { bytes in
            bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
        }
        // RFC 7515 section 7.1: header, payload, signature.
        guard parts.count == 3, object(parts[0]) != nil, let payload = object(parts[1]) else { throw .malformed }
        return payload
    }

    private static func object(_ part: [UInt8]) -> JSONObject? {
        guard let bytes = try? Base64URL.decode(part.span) else { return nil }
        return (try? JSON(parsing: bytes.span, limits: limits))?.object
    }

    /// RFC 7519 section 2: a NumericDate is a number, perhaps with a fraction.
    private static func moment(_ name: String, in members: JSONObject) -> Timestamp? {
        guard let seconds = members[name]?.double else { return nil }
        return Timestamp(secondsSinceEpoch: Int64(max(min(seconds, 1e15), -1e15)))
    }
}
