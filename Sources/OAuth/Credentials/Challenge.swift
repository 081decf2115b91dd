/// What a refused request is told it could have sent: one challenge of `WWW-Authenticate` (RFC 9110 section 11.6.1,
/// RFC 6750 section 3, RFC 9449 section 7.1).
///
///     Challenge(.dpop, error: error, scope: needed, algorithms: ["ES256"]).text
///     // DPoP error="insufficient_scope", error_description="…", scope="read", algs="ES256"
package struct Challenge: Sendable {
    /// The name of the scheme.
    package enum Scheme: String, Hashable, Sendable {
        case basic = "Basic"
        case bearer = "Bearer"
        case dpop = "DPoP"
    }

    package let scheme: Scheme
    private var parameters: [(name: String, value: String)] = []

    /// RFC 6750 section 3.1: a request without any credentials SHOULD NOT be told an error.
    package init(
        _ scheme: Scheme, realm: String? = nil, error: OAuthError? = nil, scope: Scope? = nil, algorithms: [String] = []
    ) {
        self.scheme = scheme
        if let realm { parameters.append(("realm", realm)) }
        if let error {
            parameters.append(("error", error.code.rawValue))
            if !error.publicDescription.isEmpty {
                parameters.append(("error_description", error.publicDescription))
            }
        }
        if let scope, !scope.isEmpty { parameters.append(("scope", scope.text)) }
        if !algorithms.isEmpty { parameters.append(("algs", algorithms.joined(separator: " "))) }
    }

    /// The value of the field.
    package var text: String {
        guard !parameters.isEmpty else { return scheme.rawValue }
        return scheme.rawValue + " "
            + parameters.map { "\($0.name)=\(Self.quote($0.value))" }.joined(separator: ", ")
    }

    /// RFC 9110 section 5.6.4: within quotes, a quote and a backslash have a backslash before them. What is not printable
    /// ASCII becomes an apostrophe: it could end the field, or mean something else to each reader.
    private static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append((0x20...0x7E).contains(scalar.value) ? scalar : "'")
        }
        return quoted + "\""
    }
}
