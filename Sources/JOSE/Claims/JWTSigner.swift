import Crypto
import Primitives

/// Signs tokens with one key and one header, which is encoded once. Shared, for those of a key ring go through many hands.
///
///     let signer = JWTSigner(key: key, type: "at+jwt")
///     let token = try signer.sign { claims in
///         claims.member("sub", "alice")
///         claims.member("exp", expiry.secondsSinceEpoch)
///     }
package final class JWTSigner: Sendable {
    /// Room for the claims of most tokens, so that their buffer need not grow.
    private static let usualClaimsBytes = 512

    package let key: SigningKey
    /// Where several signatures of the key take less time together; the same for all who hold the key.
    fileprivate let batchSigner: Signer?
    /// The header in Base64URL, and the full stop behind it.
    private let prefix: [UInt8]

    /// - Parameters:
    ///   - type: `typ`, such as `JWT` or `at+jwt`; none if nil.
    ///   - namesKey: whether the header has a `kid`. A key that both sides share needs no name, and a verifier may take a
    ///     name for that of a published key.
    package init(key: SigningKey, type: String?, namesKey: Bool = true) {
        self.key = key
        batchSigner = key.batchSigner
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
        try signed(unsigned(claims))
    }

    package func sign(_ claims: JSONObject) throws(JWSError) -> String {
        try signed(unsigned(JSON.object(claims).serialised()))
    }

    /// As ``sign(claims:)``, with those of others where that is faster.
    package func sign(
        in batches: any Batching, claims: (inout JSONWriter) -> Void
    ) async throws(JWSError) -> String {
        guard key.algorithm.isFasterInBatches else { return try sign(claims: claims) }
        let pending = PendingToken(unsigned(claims), by: self)
        await withUnsafeContinuation { batches.add(pending, for: $0) }
        return try pending.token()
    }

    private func unsigned(_ claims: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: Self.usualClaimsBytes)
        writer.beginObject()
        claims(&writer)
        writer.endObject()
        return unsigned(writer.takeBytes())
    }

    /// What is signed, with room for the signature.
    private func unsigned(_ payload: [UInt8]) -> [UInt8] {
        var token: [UInt8] = []
        token.reserveCapacity(prefix.count + (payload.count + key.signatureByteCount + 2) * 4 / 3 + 3)
        token.append(contentsOf: prefix)
        Base64URL.append(payload.span, to: &token)
        return token
    }

    fileprivate func signed(_ unsigned: consuming [UInt8]) throws(JWSError) -> String {
        let signature = try key.sign(unsigned.span)
        return Self.signed(unsigned, by: signature.span)
    }

    fileprivate static func signed(_ unsigned: consuming [UInt8], by signature: Span<UInt8>) -> String {
        var token = unsigned
        token.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &token)
        return String(knownASCII: token.span)
    }
}

/// A token that waits for its signature. Whoever made it looks at it again when that has been made.
private final class PendingToken: BatchedWork, @unchecked Sendable {
    private let signer: JWTSigner
    private var unsigned: [UInt8]
    private var result: Result<String, JWSError>?

    init(_ unsigned: consuming [UInt8], by signer: JWTSigner) {
        self.signer = signer
        self.unsigned = unsigned
    }

    /// Of tokens with different headers, it is the same key that signs.
    var tool: AnyObject? { signer.batchSigner }

    func perform() {
        do throws(JWSError) { result = .success(try signer.signed(takeUnsigned())) } catch { result = .failure(error) }
    }

    func perform(_ all: [any BatchedWork]) {
        guard let key = signer.batchSigner else { preconditionFailure("what has no tool is done by itself") }
        let tokens = all.map { work in
            guard let token = work as? PendingToken else { preconditionFailure("nobody else has this tool") }
            return token
        }
        do throws(CryptoError) {
            let signatures = try key.signatures(of: tokens.map(\.unsigned))
            let length = key.signatureByteCount
            for (index, token) in tokens.enumerated() {
                let signature = signatures.span.extracting((index * length)..<((index + 1) * length))
                token.result = .success(JWTSigner.signed(token.takeUnsigned(), by: signature))
            }
        } catch {
            for token in tokens { token.result = .failure(.signingFailed(error)) }
        }
    }

    /// Leaves nothing behind, so that what was signed is not kept twice.
    private func takeUnsigned() -> [UInt8] {
        defer { unsigned = [] }
        return unsigned
    }

    func token() throws(JWSError) -> String {
        guard let result else { preconditionFailure("a batch was over before all of its work was done") }
        return try result.get()
    }
}
