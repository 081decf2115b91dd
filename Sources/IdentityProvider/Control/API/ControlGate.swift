import HTTPMessages
import OAuth
import Primitives

/// Decides who may use the control API, which can do everything.
///
/// A server on loopback is reached by more than the programs of its machine: by every page that a browser there shows, under
/// a name of the page's choice too (DNS rebinding), and by whomever a proxy there lets in.
struct ControlGate: Sendable {
    let policy: ControlPolicy
    /// The host of the fixed issuer, if there is one.
    let issuerHost: String?

    func check(_ request: ServerRequest) throws(ControlError) {
        switch policy {
        case .off: throw .notFound("there is no control API here")
        case .loopback:
            try Self.checkPage(of: request)
            try checkMachine(request)
        case .secret(let secret):
            // Whoever has it comes from wherever he likes, be it with an `Origin` of his own. No page makes a browser send
            // it: a browser adds no bearer token by itself, and a page that would must ask ahead (Fetch section 3.3.4),
            // and is told of its machine alone that it may.
            guard !isPresent(secret, in: request) else { return }
            try Self.checkPage(of: request)
            throw Self.secretMissing
        }
    }

    private static func checkPage(of request: ServerRequest) throws(ControlError) {
        guard admitsPage(of: request) else {
            throw .forbidden("pages of other machines and other sites may not use the control API")
        }
    }

    /// Whether no page asks, or one of this machine. It is the one rule for what a browser is told ahead, for which page may
    /// read what the API answers, and, unless the secret is there, for what the API does.
    ///
    /// A browser says whose page it is: `Origin` (Fetch section 3.2). To a browser `localhost` and `127.0.0.1` are two sites
    /// (Fetch Metadata section 2.2), and to us one machine, so that `Sec-Fetch-Site` counts only where there is no origin: a
    /// link, a picture.
    static func admitsPage(of request: ServerRequest) -> Bool {
        let fields = request.head.headerFields
        let origins = fields[values: .origin]
        guard origins.isEmpty else { return origins.allSatisfy { WebOrigin($0)?.isLoopback == true } }
        return !fields[values: .secFetchSite].contains("cross-site")
    }

    private func checkMachine(_ request: ServerRequest) throws(ControlError) {
        guard request.peer.isLoopback else {
            throw .forbidden("the control API is for this machine; from elsewhere it takes a control secret")
        }
        let fields = request.head.headerFields
        guard !Self.fieldsOfProxies.contains(where: fields.contains) else {
            throw .forbidden("this came through a proxy; from elsewhere the control API takes a control secret")
        }
        // A name that its owner points at this machine makes his page one of our own (DNS rebinding). An address cannot
        // be pointed anywhere.
        guard let authority = request.head.authority.flatMap({ Authority($0) }), isOurs(authority.host) else {
            throw .forbidden("the control API is reached by localhost, by an address, or by the issuer's name")
        }
    }

    /// What proxies add: RFC 9110 section 7.6.3, RFC 7239, and what was there before it.
    private static let fieldsOfProxies: [HTTPField.Name] = [
        .via, .forwarded, .xForwardedFor, .xForwardedHost, .xForwardedProto, .xRealIP,
    ]

    private func isOurs(_ host: String) -> Bool {
        if let issuerHost, sameText(host, issuerHost) { return true }
        if host.hasPrefix("[") || IPAddressText.isIPv4(host.utf8.span) { return true }
        return WebOrigin("http://\(host)")?.isLoopback == true
    }

    private func isPresent(_ secret: SharedSecret, in request: ServerRequest) -> Bool {
        let values = request.head.headerFields[values: .authorization]
        guard values.count == 1, let credentials = try? BearerCredentials(authorization: values[0]),
            credentials.scheme == .bearer
        else { return false }
        return secret.matches(Secret(utf8: credentials.token))
    }

    private static let secretMissing = ControlError(
        status: .unauthorized, code: "invalid_token",
        description: "the control API takes the control secret, as Authorization: Bearer",
        fields: [.wwwAuthenticate: "Bearer realm=\"pawl control\""])
}

extension HTTPField.Name {
    fileprivate static let via = Self(validated: "Via")
    fileprivate static let xRealIP = Self(validated: "X-Real-IP")
}
