import IdentityProvider
import JOSE
import OAuth
import Primitives

/// A request object counts if its client signed it, says that it is for this provider, and is of this time; and nothing
/// counts that stands beside it.
///
/// The input begins with a byte. Even: claims that the client signs. Odd: changes to a request that would be taken, or,
/// from 128 on, any text in the place of one.
enum RequestObjectProperties {
    private static let provider = FuzzedProvider(.automaticLogin)
    private static let good = FuzzedProvider.sign(
        Array(
            #"{"iss":"signer","aud":"http://localhost:8080","client_id":"signer","response_type":"code","state":"inside"}"#
                .utf8), by: provider.clientKey, type: "oauth-authz-req+jwt")

    static func check(_ input: Span<UInt8>) {
        let bytes = input.array()
        guard let first = bytes.first else { return }
        defer { provider.forget() }
        if first & 1 == 0 {
            checkSigned(Array(bytes.dropFirst()))
        } else if first < 128 {
            let text = FuzzedProvider.change(good, by: bytes.dropFirst())
            require(
                (send(text).code != nil) == (text == good), "an object is taken exactly as long as nothing is changed")
        } else if let text = String(validating: bytes.dropFirst(), as: UTF8.self) {
            require(send(text).code == nil || text == good, "nobody else's object is taken")
        }
    }

    private static func send(_ object: String) -> FuzzedAnswer {
        provider.get(
            "/authorize?"
                + FormParameters([
                    ("client_id", "signer"), ("response_type", "id_token"), ("state", "outside"), ("request", object),
                ]).encoded)
    }

    private static func checkSigned(_ payload: [UInt8]) {
        let answer = send(FuzzedProvider.sign(payload, by: provider.clientKey, type: "oauth-authz-req+jwt"))
        require(answer.parameters["id_token"] == nil || answer.code != nil || !payload.isEmpty, "nothing from outside")
        guard answer.code != nil else { return }
        guard let claims = try? JSON(parsing: payload.span) else { return require(false, "claims are JSON") }
        require(claims["iss"] == "signer", "the client speaks for itself")
        let audience = claims["aud"]?.array ?? [claims["aud"] ?? .null]
        require(audience.contains(.string(FuzzedProvider.issuer)), "it speaks to this provider")
        require(claims["client_id"] == "signer", "it speaks of itself")
        require(claims["request"] == nil && claims["request_uri"] == nil, "no object holds another")
        require(claims["sub"] != "signer", "an assertion is no request")
        let state = claims["state"].flatMap { $0.string ?? $0.int64.map { "\($0)" } }
        require(answer.parameters["state"] != "outside" || state == "outside", "nothing counts that stands beside it")
        let now = Double(FuzzedProvider.now.secondsSinceEpoch)
        if let expires = claims["exp"]?.double { require(expires > now - 11, "it is of this time") }
        if let begins = claims["nbf"]?.double { require(begins < now + 11, "it is of this time") }
        if claims["jti"] != nil { require(claims["exp"] != nil, "what must be remembered has an end") }
    }
}
