import Crypto
import JOSE
import Primitives

/// A signed object says what its text says, and no text but the signer's verifies.
enum JWSProperties {
    private static let signingKeys: [SigningKey] = [SignatureAlgorithm.hs256, .es256, .edDSA, .ps256].map { algorithm in
        guard let key = try? SigningKey.generate(algorithm, keyID: "k") else { fatalError("no \(algorithm) key") }
        return key
    }
    private static let keys = VerificationKeySet(signingKeys.map(\.verificationKey))
    private static let tokens: [[UInt8]] = signingKeys.map { key in
        guard let token = try? JWSSigner(key: key).compact(Array(#"{"sub":"alice"}"#.utf8)) else {
            fatalError("no token with \(key.algorithm)")
        }
        return Array(token.utf8)
    }

    static func check(_ input: Span<UInt8>) {
        if let object = try? UnverifiedJWS(compact: input) {
            checkCompact(object, input.array())
            requireRefused(object)
        }
        if let object = try? UnverifiedJWS(json: input) {
            require(!object.signatures.isEmpty, "an object has a signature")
            requireRefused(object)
        }
        checkTampering(input)
    }

    private static func checkCompact(_ object: UnverifiedJWS, _ text: [UInt8]) {
        let segments = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
        guard segments.count == 3 else { return require(false, "a compact text has three segments") }
        let (header, payload, signature) = (segments[0], segments[1], segments[2])
        let headerText = (try? Base64URL.decode(header.span)) ?? []
        require((try? JSON(parsing: headerText.span))?.object == object.header.protected, "the header is the text's")
        require(object.header.unprotected.isEmpty, "a compact text has no unprotected header")
        let content = object.unverifiedPayload
        let contentText = object.header.isPayloadEncoded ? Array(Base64URL.encode(content).utf8) : content
        require(contentText == payload, "the payload is the text's")
        let value = (try? Base64URL.decode(signature.span)) ?? []
        require(Array(Base64URL.encode(value).utf8) == signature, "the signature has one text")
    }

    private static func requireRefused(_ object: UnverifiedJWS) {
        require((try? object.verified(by: keys)) == nil, "nobody else's signature verifies")
        for key in signingKeys {
            require((try? object.verified(by: key.verificationKey)) == nil, "nobody else's signature verifies")
        }
    }

    /// Takes the input as changes to a token that verifies: pairs of a place and a byte to put there.
    private static func checkTampering(_ input: Span<UInt8>) {
        guard input.count >= 3 else { return }
        let original = tokens[Int(input[0]) % tokens.count]
        var text = original
        for index in stride(from: 1, to: Swift.min(input.count - 1, 9), by: 2) {
            // A token is longer than what one byte can point at.
            let place = (Int(input[index]) * 3 + Int(input[0]) / tokens.count) % text.count
            text[place] = input[index + 1]
        }
        let verified = (try? UnverifiedJWS(compact: text.span)).flatMap { try? $0.verified(by: keys) }
        require((verified != nil) == (text == original), "a token verifies exactly as long as nothing is changed")
    }
}
