import OAuth
import Primitives

/// The claims of a request object as the parameters that they stand for (RFC 9101 section 4).
struct RequestObjectParameters {
    let form: FormParameters

    /// As many as a form may have.
    private static let maximumCount = FormLimits.standard.parameterCount

    /// Those that are about the object itself (RFC 7519 section 4.1).
    private static let ownClaims = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]

    init(_ claims: JSONObject, clientID: String) throws(OAuthError) {
        var pairs: [(name: String, value: String)] = []
        for (name, value) in claims where !Self.ownClaims.contains(where: { sameText($0, name) }) {
            // RFC 9101 section 4: request and request_uri MUST NOT be included.
            guard !sameText(name, "request"), !sameText(name, "request_uri") else {
                throw RequestObjectJudge.refused("it holds another one")
            }
            guard !name.isEmpty else { throw RequestObjectJudge.refused("a claim has no name") }
            for text in try Self.texts(of: value, named: name) { pairs.append((name, text)) }
        }
        guard pairs.count <= Self.maximumCount else {
            throw RequestObjectJudge.refused("it has more than \(Self.maximumCount) parameters")
        }
        // RFC 9101 section 4: it MUST contain all parameters of the request, and RFC 6749 section 4.1.1 requires this one.
        // iss does not stand for it. OpenID Connect Core section 6.1 is content with the one outside, and differs.
        guard let named = claims["client_id"] else { throw RequestObjectJudge.refused("client_id is missing") }
        // RFC 9101 sections 5 and 6.3: client_id inside and outside MUST be the same.
        guard let named = named.string, sameText(named, clientID) else {
            throw RequestObjectJudge.refused("client_id names another client")
        }
        form = FormParameters(pairs)
    }

    /// RFC 9101 section 4: strings are strings, numbers are numbers, and `claims` is an object. A parameter that may come
    /// several times (RFC 8707 section 2) is an array.
    private static func texts(of value: JSON, named name: String) throws(OAuthError) -> [String] {
        switch value {
        case .string(let text): return [text]
        case .number(let number): return [number.literal]
        case .bool(let flag): return [flag ? "true" : "false"]
        case .object: return [value.text()]
        case .array(let elements) where sameText(name, "resource"):
            let texts = elements.compactMap(\.string)
            guard texts.count == elements.count else { throw RequestObjectJudge.refused("a resource is a text") }
            return texts
        case .array, .null:
            throw RequestObjectJudge.refused("a parameter is a list, or null")
        }
    }
}
