import Crypto
import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives

/// A DPoP proof counts if the key in its header signed it, for this method, this URL, this token and this time.
///
/// The input begins with a byte, by its lowest bits: 0, claims; 1, changes to a proof that would be taken; 2, a header; 3, any
/// text. With 4 the request carries an access token; with 8 a nonce is required.
enum ProofProperties {
    private static let key: SigningKey = {
        do { return try SigningKey.generate(.edDSA) } catch { fatalError("no key: \(error)") }
    }()
    private static let publicKey: JSON = {
        guard let json = key.jwk.publicJWK?.json(.publicOnly) else { fatalError("no public key") }
        var bare = JSONObject()
        for name in ["kty", "crv", "x"] { bare[name] = json[name] }
        return .object(bare)
    }()
    private static let nonces = ProofNonces(secret: Secret(utf8: "of the fuzzer"))
    private static let url = "https://id.example/token"
    private static let token = "an-access-token"
    private static let now = FuzzedProvider.now
    private static let header: JSONObject = ["typ": "dpop+jwt", "alg": "EdDSA", "jwk": publicKey]
    private static let good: String = {
        let claims: JSONObject = [
            "jti": "p-1", "htm": "POST", "htu": .string(url), "iat": .number(JSONNumber(now.secondsSinceEpoch)),
            "ath": .string(DPoPProofReader.hash(of: token)), "nonce": .string(nonces.nonce(at: now)),
        ]
        return sign(JSON.object(header).serialised(), JSON.object(claims).serialised())
    }()

    static func check(_ input: Span<UInt8>) {
        let bytes = input.array()
        guard let first = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch first & 3 {
        case 0: checkClaims(rest, first)
        case 1:
            let text = FuzzedProvider.change(good, by: rest)
            let isTaken = judge(text, first) != nil
            require(isTaken == (text == good), "a proof is taken exactly as long as nothing is changed")
        case 2: checkHeader(rest, first)
        default:
            let text = String(decoding: rest, as: UTF8.self)
            require(judge(text, first) == nil || text == good, "nobody else's proof is taken")
        }
    }

    private static func sign(_ header: [UInt8], _ payload: [UInt8]) -> String {
        let message = Base64URL.encode(header) + "." + Base64URL.encode(payload)
        guard let signature = try? key.sign(Array(message.utf8).span) else { fatalError("no signature") }
        return message + "." + Base64URL.encode(signature)
    }

    private static func judge(_ text: String, _ mode: UInt8) -> DPoPProof? {
        var policy = ProofPolicy()
        policy.nonce = mode & 8 == 0 ? .optional : .required
        guard let url = TargetURL(url) else { fatalError("no URL") }
        do throws(OAuthError) {
            let proof = try DPoPProofReader(policy: policy, nonces: nonces).proof(
                text, for: .init(method: .post, urls: [url], accessToken: mode & 4 == 0 ? nil : token), at: now)
            require(proof.thumbprint == key.jwk.thumbprint(), "the key is the one of the header")
            require((1...256).contains(proof.identifier.utf8.count), "what must be remembered is short")
            require(proof.expires > now, "a proof that is good is remembered")
            require(proof.expires <= now + policy.leeway * 2 + .seconds(2), "what must be remembered has an end")
            return proof
        } catch {
            require(error.code == .invalidDPoPProof || error.code == .useDPoPNonce, "a proof is refused as one")
            require(error.publicDescription.utf8.count < 512, "errors repeat nothing of what was sent")
            return nil
        }
    }

    private static func checkClaims(_ payload: [UInt8], _ mode: UInt8) {
        guard let proof = judge(sign(JSON.object(header).serialised(), payload), mode) else { return }
        guard let claims = try? JSON(parsing: payload.span) else { return require(false, "claims are JSON") }
        require(claims["htm"] == "POST", "a proof is for its method")
        require(claims["htu"]?.string.flatMap { TargetURL($0) } == TargetURL(url), "a proof is for its URL")
        require(claims["jti"]?.string == proof.identifier, "a proof has a name")
        require(mode & 4 == 0 || claims["ath"] == .string(DPoPProofReader.hash(of: token)), "a proof is for its token")
        require(mode & 8 == 0 || claims["nonce"] != nil, "a proof has a nonce where it must")
        if let nonce = claims["nonce"] { require(nonce == .string(nonces.nonce(at: now)), "a nonce is ours") }
        let age = Double(now.secondsSinceEpoch) - (claims["iat"]?.double ?? .infinity)
        require(abs(age) <= 61, "a proof is of this time")
    }

    private static func checkHeader(_ header: [UInt8], _ mode: UInt8) {
        let payload = (try? UnverifiedJWS(compact: good))?.unverifiedPayload ?? []
        guard judge(sign(header, payload), mode) != nil else { return }
        guard let json = try? JSON(parsing: header.span) else { return require(false, "a header is JSON") }
        require(json["alg"] == "EdDSA", "the algorithm is the one of the key")
        require(json["typ"]?.string?.lowercased().hasSuffix("dpop+jwt") == true, "a proof says that it is one")
        require(json["jwk"]?["x"] == publicKey["x"] && json["jwk"]?["d"] == nil, "the key is public and the signer's")
        require(json["crit"] == nil, "what must be understood is understood")
    }
}
