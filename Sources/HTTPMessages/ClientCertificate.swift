/// A certificate that the other end of a connection has shown, with the proof that it holds its key: TLS gives no less
/// (RFC 8446 section 4.4.3, RFC 5246 section 7.4.8). Whose certificate it is remains to be judged (RFC 8705 section 2).
///
/// Cheap to copy: it was taken apart once, when the connection began.
package struct ClientCertificate: Sendable {
    private let contents: Contents

    /// What is compared with the names of a client's metadata (RFC 8705 section 2.1.2). ASCII, without spaces and
    /// control characters: names that are anything else are left out.
    package enum AlternativeName: Hashable, Sendable {
        case dns(String)
        case uri(String)
        /// As `inet_ntop` writes it: `192.0.2.1`, `2001:db8::1`.
        case ip(String)
        case email(String)
    }

    private final class Contents: Sendable {
        let der: [UInt8]
        let sha256Thumbprint: [UInt8]
        let publicKeyInfo: [UInt8]
        let subject: String
        let subjectAlternativeNames: [AlternativeName]
        let isTrusted: Bool

        init(
            der: [UInt8], sha256Thumbprint: [UInt8], publicKeyInfo: [UInt8], subject: String,
            subjectAlternativeNames: [AlternativeName], isTrusted: Bool
        ) {
            self.der = der
            self.sha256Thumbprint = sha256Thumbprint
            self.publicKeyInfo = publicKeyInfo
            self.subject = subject
            self.subjectAlternativeNames = subjectAlternativeNames
            self.isTrusted = isTrusted
        }
    }

    package init(
        der: [UInt8], sha256Thumbprint: [UInt8], publicKeyInfo: [UInt8], subject: String,
        subjectAlternativeNames: [AlternativeName] = [], isTrusted: Bool
    ) {
        precondition(sha256Thumbprint.count == 32, "a SHA-256 digest has 32 bytes")
        contents = Contents(
            der: der, sha256Thumbprint: sha256Thumbprint, publicKeyInfo: publicKeyInfo, subject: subject,
            subjectAlternativeNames: subjectAlternativeNames, isTrusted: isTrusted)
    }

    /// The whole certificate.
    package var der: [UInt8] { contents.der }

    /// The SHA-256 digest of `der`: what `x5t#S256` confirms (RFC 8705 section 3.1).
    package var sha256Thumbprint: [UInt8] { contents.sha256Thumbprint }

    /// Its public key as the DER of a SubjectPublicKeyInfo (RFC 5280 section 4.1): what is compared with the keys that a
    /// client has registered (RFC 8705 section 2.2).
    package var publicKeyInfo: [UInt8] { contents.publicKeyInfo }

    /// The distinguished name as RFC 2253 writes it, and RFC 4514 after it: ASCII, the rest escaped byte by byte. Empty
    /// for a certificate without one, which is nobody's name.
    package var subject: String { contents.subject }

    /// The first of them in the order of the certificate, as many as the server is willing to look at.
    package var subjectAlternativeNames: [AlternativeName] { contents.subjectAlternativeNames }

    /// Whether its chain led to an authority that the server was given, and it was valid, and meant for clients, when
    /// the connection began. One that signs itself is not trusted, and may be a client's all the same (RFC 8705
    /// section 2.2).
    package var isTrusted: Bool { contents.isTrusted }
}

extension ClientCertificate: Hashable {
    // All else follows from the encoding.
    package static func == (left: Self, right: Self) -> Bool {
        left.contents === right.contents || (left.der == right.der && left.isTrusted == right.isTrusted)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(sha256Thumbprint)
    }
}

extension ClientCertificate: CustomStringConvertible {
    package var description: String { subject.isEmpty ? "a certificate without a subject" : subject }
}
