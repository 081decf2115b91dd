import Crypto
import OAuth
import Primitives

/// A proof as a server reads it, by the checks of RFC 9449 section 4.3 one by one; with nothing of the client's own.
struct ProofText {
    let header: JSON
    let claims: JSON
    let isSigned: Bool
    let thumbprint: String

    enum Failure: Error { case notCompact, noKey }

    init(_ text: String) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { throw Failure.notCompact }
        header = try Self.json(parts[0])
        claims = try Self.json(parts[1])
        guard let x = header["jwk"]?["x"]?.string, let y = header["jwk"]?["y"]?.string else { throw Failure.noKey }
        let key = try PublicKey(
            ec: ECPublicComponents(curve: .p256, x: Base64URL.decode(x), y: Base64URL.decode(y)))
        let verifier = try Verifier(key, scheme: .ecdsa(.p256, .sha256))
        let signature = try Base64URL.decode(parts[2])
        let message = Array("\(parts[0]).\(parts[1])".utf8)
        isSigned = verifier.isValid(signature.span, for: message.span)
        let canonical = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        thumbprint = Base64URL.encode(HashFunction.sha256.digest(Array(canonical.utf8).span))
    }

    private static func json(_ part: String) throws -> JSON {
        let bytes = try Base64URL.decode(part)
        return try JSON(parsing: bytes.span)
    }
}
