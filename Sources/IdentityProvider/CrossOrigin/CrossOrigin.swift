import HTTPMessages

/// Lets pages of other origins read answers (the CORS protocol of the Fetch standard, section 3.3).
///
/// A page that a browser shows reaches whatever the browser's machine reaches, a server on loopback too, and the secret
/// of a client that everybody knows keeps nobody out. What keeps such a page from having tokens is that it may not read
/// them, so who may is chosen. `Access-Control-Allow-Credentials` is never sent: nothing here takes what a browser adds
/// by itself.
package struct CrossOrigin: Sendable {
    let policy: CrossOriginPolicy

    /// What `Access-Control-Allow-Origin` is on an answer that pages of any origin may read.
    package static let everybody = "*"

    /// The challenge tells a page why it was refused, the nonce what its next proof needs, and the time to wait when it may
    /// come again; a page sees them only if told to.
    private static let exposedFields = "WWW-Authenticate, DPoP-Nonce, Retry-After, X-Request-Id"
    /// The wildcard does not stand for `Authorization` (Fetch section 4.9), so the fields are named.
    private static let allowedFields = "Authorization, Content-Type, DPoP, If-None-Match"
    private static let maximumAgeSeconds = 600

    /// Adds what a browser must find before its page may read the answer, or, to `OPTIONS`, before it may ask at all.
    /// For a page that may not, the answer stays as it is.
    func admitReader(of response: inout ServerResponse, to request: ServerRequest) {
        guard let origin = request.head.headerFields[.origin], let allowed = allowedOrigin(for: origin) else { return }
        response.head.headerFields[.accessControlAllowOrigin] = allowed
        if request.head.method == .options {
            response.head.headerFields[.accessControlAllowMethods] = response.head.headerFields[.allow]
            response.head.headerFields[.accessControlAllowHeaders] = Self.allowedFields(asked: request)
            response.head.headerFields[.accessControlMaxAge] = String(Self.maximumAgeSeconds)
        } else {
            let others = (response.remark as? RequestRemark)?.policyFields ?? []
            response.head.headerFields[.accessControlExposeHeaders] = ([Self.exposedFields] + others)
                .joined(separator: ", ")
        }
    }

    /// Those that the provider reads, and those that the page wants to send besides: libraries add fields of their own, and
    /// none of them means anything here.
    private static func allowedFields(asked request: ServerRequest) -> String {
        guard let asked = request.head.headerFields[.accessControlRequestHeaders],
            asked.utf8.count <= maximumAskedByteCount
        else { return allowedFields }
        let known = Set(allowedFields.lowercased().split(separator: ",").map { $0.filter { $0 != " " } })
        let others = asked.lowercased().split(separator: ",").map { $0.filter { $0 != " " } }
            .filter { HTTPField.Name($0) != nil && !known.contains($0) }
        return ([allowedFields] + others).joined(separator: ", ")
    }

    private static let maximumAskedByteCount = 1024

    /// Whether a page of this origin may read answers.
    func admits(_ origin: String) -> Bool { allowedOrigin(for: origin) != nil }

    private func allowedOrigin(for sent: String) -> String? {
        switch policy {
        case .any: Self.everybody
        case .loopback: WebOrigin(sent).flatMap { $0.isLoopback ? $0.text : nil }
        case .listed(let origins): WebOrigin(sent).flatMap { origins.contains($0) ? $0.text : nil }
        }
    }

    /// The answer to `OPTIONS`, from a browser that asks ahead and from anybody else.
    static func optionsResponse(allowing methods: String) -> ServerResponse {
        ServerResponse(status: .noContent, headerFields: [.allow: methods, .vary: "Origin"])
    }
}
