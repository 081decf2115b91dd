import HTTPMessages
import Primitives

extension Confirmation {
    /// RFC 8705 section 3.1: the certificate that was shown.
    init(_ certificate: ClientCertificate) {
        self = .certificate(thumbprint: Base64URL.encode(certificate.sha256Thumbprint))
    }
}
