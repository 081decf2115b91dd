import Primitives

/// Signs tokens with one key and one header, which is encoded once.
///
///     let signer = JWTSigner(key: key, type: "at+jwt")
///     let token = try signer.sign { claims in
///         claims.member("sub", "alice")
///         claims.member("exp", expiry.secondsSinceEpoch)
///     }
package struct JWTSigner: Sendable {
    /// Room for the claims of most tokens, so that their buffer need not grow.
    private static let usualClaimsBytes = 512

    package let key: SigningKey
    /// The header in Base64URL, and the full stop behind it.
    private let prefix: [UInt8]

    /// - Parameters:
    ///   - type: `typ`, such as `JWT` or `at+jwt`; none if nil.
    ///   - namesKey: whether the header has a `kid`. A key that both sides share needs no name, and a verifier may take a
    ///     name for that of a published key.
    package init(key: SigningKey, type: String?, namesKey: Bool = true) {
        self.key = key
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("alg", key.algorithm.name)
        if let type { writer.member("typ", type) }
        if namesKey { writer.member("kid", key.keyID) }
        writer.endObject()
        var prefix: [UInt8] = []
        Base64URL.append(writer.bytes.span, to: &prefix)
        prefix.append(UInt8(ascii: "."))
        self.prefix = prefix
    }

    /// Signs what `claims` writes: the members of an object that is open already, each name once.
    package func sign(claims: (inout JSONWriter) -> Void) throws(JWSError) -> String {
        var writer = JSONWriter(reservingCapacity: Self.usualClaimsBytes)
        writer.beginObject()
        claims(&writer)
        writer.endObject()
        var payload = writer.takeBytes()
        return try sign(payload: &payload)
    }

    package func sign(_ claims: JSONObject) throws(JWSError) -> String {
        var payload = JSON.object(claims).serialised()
        return try sign(payload: &payload)
    }

    /// The signature is made where the payload was, which is not needed any more once it is encoded.
    private func sign(payload buffer: inout [UInt8]) throws(JWSError) -> String {
        var token: [UInt8] = []
        token.reserveCapacity(prefix.count + (buffer.count + key.signatureByteCount + 2) * 4 / 3 + 3)
        token.append(contentsOf: prefix)
        Base64URL.append(buffer.span, to: &token)
        buffer.removeAll(keepingCapacity: true)
        try key.append(signatureOf: token.span, to: &buffer)
        token.append(UInt8(ascii: "."))
        Base64URL.append(buffer.span, to: &token)
        return String(decoding: token, as: UTF8.self)
    }
}
