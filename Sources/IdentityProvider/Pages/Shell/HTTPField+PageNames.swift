import HTTPMessages

/// The fields that only pages carry.
extension HTTPField.Name {
    static let contentLanguage = Self(validated: "Content-Language")
    static let crossOriginOpenerPolicy = Self(validated: "Cross-Origin-Opener-Policy")
    static let frameOptions = Self(validated: "X-Frame-Options")
    static let permissionsPolicy = Self(validated: "Permissions-Policy")
}
