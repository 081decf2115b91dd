/// What a PEM block says it holds: its label (RFC 7468 section 4).
enum PEMContent: String, CaseIterable {
    case pkcs8PrivateKey = "PRIVATE KEY"
    case encryptedPrivateKey = "ENCRYPTED PRIVATE KEY"
    case rsaPrivateKey = "RSA PRIVATE KEY"
    case ecPrivateKey = "EC PRIVATE KEY"
    case dsaPrivateKey = "DSA PRIVATE KEY"
    case opensshPrivateKey = "OPENSSH PRIVATE KEY"
    case subjectPublicKeyInfo = "PUBLIC KEY"
    case rsaPublicKey = "RSA PUBLIC KEY"
    case certificate = "CERTIFICATE"
    case trustedCertificate = "TRUSTED CERTIFICATE"
    case certificateRequest = "CERTIFICATE REQUEST"
    case ecParameters = "EC PARAMETERS"
    case dhParameters = "DH PARAMETERS"
    case dsaParameters = "DSA PARAMETERS"

    static let longestLabel = 32

    var name: String {
        switch self {
        case .pkcs8PrivateKey, .rsaPrivateKey, .ecPrivateKey: "a private key"
        case .encryptedPrivateKey: "an encrypted private key"
        case .dsaPrivateKey: "a DSA private key"
        case .opensshPrivateKey: "an OpenSSH private key"
        case .subjectPublicKeyInfo, .rsaPublicKey: "a public key"
        case .certificate, .trustedCertificate: "a certificate"
        case .certificateRequest: "a certificate request"
        case .ecParameters, .dhParameters, .dsaParameters: "parameters without a key"
        }
    }
}
