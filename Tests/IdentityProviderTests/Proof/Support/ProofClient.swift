import Crypto
import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives

/// A client that has a key, and writes with it whatever a test wants written.
struct ProofClient: Sendable {
    let key: SigningKey
    let now: Timestamp

    static let tokenURL = "http://localhost:8080/token"

    init(_ algorithm: SignatureAlgorithm = .es256, keyID: String? = nil, at now: Timestamp) throws {
        key = try .generate(algorithm, keyID: keyID)
        self.now = now
    }

    init(key: SigningKey, at now: Timestamp) {
        self.key = key
        self.now = now
    }

    var thumbprint: String { key.jwk.thumbprint() }

    /// A proof for a token request, with `claims` in the place of its own; `null` takes one away.
    func proof(
        _ jti: String = "p-1", _ claims: JSONObject = [:], header: JSONObject = [:], signedBy other: SigningKey? = nil
    ) throws -> String {
        let signer = other ?? key
        var members: JSONObject = [
            "jti": .string(jti), "htm": "POST", "htu": .string(Self.tokenURL), "iat": .integer(now.secondsSinceEpoch),
        ]
        members.change(by: claims)
        var parameters: JSONObject = [
            "typ": "dpop+jwt", "alg": .string(signer.algorithm.name), "jwk": key.publicJWK?.bareJSON ?? .null,
        ]
        parameters.change(by: header)
        return try Self.sign(members, header: parameters, by: signer)
    }

    /// An assertion of a client, with `claims` in the place of its own; `null` takes one away.
    func assertion(
        of client: String, _ jti: String = "a-1", _ claims: JSONObject = [:], header: JSONObject = [:],
        signedBy other: SigningKey? = nil
    ) throws -> String {
        let signer = other ?? key
        var members: JSONObject = [
            "iss": .string(client), "sub": .string(client), "aud": .string(ProviderUnderTest.issuer),
            "exp": .integer(now.secondsSinceEpoch + 60), "iat": .integer(now.secondsSinceEpoch), "jti": .string(jti),
        ]
        members.change(by: claims)
        var parameters: JSONObject = ["alg": .string(signer.algorithm.name)]
        parameters.change(by: header)
        return try Self.sign(members, header: parameters, by: signer)
    }

    /// Signs by hand, so that a header can say what no signer would write.
    static func sign(_ claims: JSONObject, header: JSONObject, by key: SigningKey) throws -> String {
        let input =
            Base64URL.encode(JSON.object(header).serialised()) + "."
            + Base64URL.encode(JSON.object(claims).serialised())
        return input + "." + Base64URL.encode(try key.sign(Array(input.utf8).span))
    }

    /// As a form has it.
    static func assertionForm(_ assertion: String, also: String = "") -> String {
        "grant_type=client_credentials"
            + "&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"
            + "&client_assertion=" + assertion + also
    }
}

extension JSON {
    static func integer(_ value: Int64) -> JSON {
        .number(JSONNumber(value))
    }
}

extension JSONObject {
    mutating func change(by other: JSONObject) {
        for (name, value) in other { self[name] = value == .null ? Optional<JSON>.none : .some(value) }
    }
}

extension JWK {
    /// Only what makes the key.
    var bareJSON: JSON? { JWK(material).json(.publicOnly) }
}

extension String {
    /// The text with one bit of one byte of the decoded segment turned over.
    func withBitFlipped(inSegment segment: Int, at position: Int) -> String {
        var segments = split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard var bytes = try? Base64URL.decode(segments[segment]) else { return self }
        bytes[position % bytes.count] ^= 1 << UInt8(position % 8)
        segments[segment] = Base64URL.encode(bytes)
        return segments.joined(separator: ".")
    }
}

extension HTTPField.Name {
    static let dpop = HTTPField.Name("DPoP")!
}
