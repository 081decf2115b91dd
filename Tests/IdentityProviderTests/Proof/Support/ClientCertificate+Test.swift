import Crypto
import HTTPMessages
import JOSE
import Primitives

extension ClientCertificate {
    /// A certificate as a connection would tell of it; only what is compared has to be real.
    static func test(
        _ name: String = "one", key: JWK? = nil, subject: String = "", names: [AlternativeName] = [],
        isTrusted: Bool = true
    ) throws -> ClientCertificate {
        let der = Array("the encoding of \(name)".utf8)
        let body = try key?.publicPEM().split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        return ClientCertificate(
            der: der, sha256Thumbprint: HashFunction.sha256.digest(der.span),
            publicKeyInfo: try body.map { try Base64.decode($0.utf8.span) } ?? [], subject: subject,
            subjectAlternativeNames: names, isTrusted: isTrusted)
    }

    /// As `x5t#S256` has it.
    var thumbprint: String { Base64URL.encode(sha256Thumbprint) }
}
