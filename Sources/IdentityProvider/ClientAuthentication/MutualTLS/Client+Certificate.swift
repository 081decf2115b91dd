extension Client {
    /// The way in which it proves itself by a certificate; `nil` when it does so in another.
    var certificateMethod: String? {
        switch metadata.authenticationMethod {
        case TrustedCertificate.name: TrustedCertificate.name
        case SelfSignedCertificate.name: SelfSignedCertificate.name
        // Registered for nothing else, a subject says which way is meant.
        case nil where metadata.certificateSubject != nil && secret == nil: TrustedCertificate.name
        default: nil
        }
    }
}
