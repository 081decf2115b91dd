import Crypto
import HTTPMessages
import Primitives

/// What a proof is about (RFC 9449 section 4.2): this request, at this moment, by whoever has the key.
struct DPoPProof: Sendable {
    let method: HTTPRequest.Method
    /// Without query and fragment.
    let url: String
    let identifier: String
    let issuedAt: Timestamp
    /// The access token that goes with the request.
    var accessToken: Secret?
    var nonce: String?

    /// Section 4.2 wants at least 96 bits of chance.
    static let identifierByteCount = 16

    /// The proof in the compact form of a JWS (RFC 7515 section 7.1), as the header field `DPoP` carries it.
    func signed(by key: DPoPKey) throws(CryptoError) -> String {
        let header: JSON = ["typ": "dpop+jwt", "alg": .string(DPoPKey.algorithm), "jwk": key.publicKey]
        var claims: JSONObject = [
            "jti": .string(identifier), "htm": .string(method.rawValue), "htu": .string(url),
            "iat": .number(JSONNumber(issuedAt.secondsSinceEpoch)),
        ]
        // Section 4.2: with an access token, ath is the hash of its ASCII characters.
        if let accessToken {
            let hash = accessToken.withBytes { bytes in
                HashFunction.sha256.digest(bytes.assumingMemoryBound(to: UInt8.self).span)
            }
            claims["ath"] = .string(Base64URL.encode(hash))
        }
        if let nonce { claims["nonce"] = .string(nonce) }
        var bytes: [UInt8] = []
        Base64URL.append(header.serialised().span, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        Base64URL.append(JSON.object(claims).serialised().span, to: &bytes)
        let signature = try key.sign(bytes.span)
        bytes.append(UInt8(ascii: "."))
        Base64URL.append(signature.span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
