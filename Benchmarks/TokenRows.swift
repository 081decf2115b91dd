import JOSE
import Primitives

/// A whole access token, claims in and compact form out, and its limit: the HMAC over the same bytes alone.
enum TokenRows {
    static let names = ["hs256-jwt", "hs256-bare-hmac"]

    static func measure(_ name: String, seconds: Double) throws -> Measurement? {
        let key = try SigningKey.generate(.hs256)
        let signer = JWTSigner(key: key, type: "at+jwt")
        switch name {
        case "hs256-jwt":
            var now: Int64 = 1_763_632_800
            return try .rate(name, seconds: seconds) {
                now += 1
                _ = try token(signer, now)
            }
        case "hs256-bare-hmac":
            let token = Array(try token(signer, 1_763_632_800).utf8)
            guard let end = token.lastIndex(of: UInt8(ascii: ".")) else { return nil }
            return BareHMAC.rate(name, over: Array(token[..<end]), seconds: seconds)
        default:
            return nil
        }
    }

    /// The claims that RFC 9068 section 2.2 wants in an access token.
    private static func token(_ signer: JWTSigner, _ now: Int64) throws -> String {
        try signer.sign { claims in
            claims.member("iss", "https://login.example.com")
            claims.member("sub", "service")
            claims.member("aud", "https://api.example.com")
            claims.member("client_id", "service")
            claims.member("scope", "read write")
            claims.member("iat", now)
            claims.member("exp", now + 300)
            claims.member("jti", "9bQ3sVqTn0mZyX2c7fKdLw")
        }
    }
}
