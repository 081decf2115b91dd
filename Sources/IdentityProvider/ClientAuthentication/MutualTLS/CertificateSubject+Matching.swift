import HTTPMessages
import Primitives

extension ClientMetadata.CertificateSubject {
    /// Whether the certificate says what the client has registered (RFC 8705 section 2.1.2).
    ///
    /// Of several alternative names one is enough: the certificate is for each of them. A name of one kind never passes
    /// for one of another.
    func matches(_ certificate: ClientCertificate) -> Bool {
        let names = certificate.subjectAlternativeNames
        return switch self {
        case .distinguishedName(let expected): Self.isSame(expected, certificate.subject)
        case .dns(let expected):
            // RFC 4343: names of hosts have no case.
            names.contains {
                if case .dns(let name) = $0 { sameText(name.lowercased(), expected.lowercased()) } else { false }
            }
        case .uri(let expected):
            names.contains { if case .uri(let name) = $0 { sameText(name, expected) } else { false } }
        case .ip(let expected):
            // RFC 5952 section 4.3: addresses are written in lower case.
            names.contains { if case .ip(let name) = $0 { sameText(name, expected.lowercased()) } else { false } }
        case .email(let expected):
            names.contains { if case .email(let name) = $0 { sameText(name, expected) } else { false } }
        }
    }

    /// A certificate without a subject is nobody's.
    private static func isSame(_ expected: String, _ subject: String) -> Bool {
        guard let expected = DistinguishedName(expected), let subject = DistinguishedName(subject) else { return false }
        return !expected.isEmpty && expected == subject
    }
}
