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
        try refusePagesOfOthers(request)
        switch policy {
        case .off: throw .notFound("there is no control API here")
        case .loopback: try checkMachine(request)
        case .secret(let secret): try check(secret, in: request)
        }
    }

    /// A browser says whose page asks: `Origin` (Fetch section 3.2), `Sec-Fetch-Site` (Fetch Metadata section 2.2).
    private func refusePagesOfOthers(_ request: ServerRequest) throws(ControlError) {
        let fields = request.head.headerFields
        for origin in fields[values: .origin] where WebOrigin(origin)?.isLoopback != true {
            throw .forbidden("pages of other machines may not use the control API")
        }
        if fields[.secFetchSite].map({ $0 == "cross-site" }) == true {
            throw .forbidden(
                "pages of other sites may not use the control API; a page of this machine reaches it by the host of its own"
            )
        }
    }

    private func checkMachine(_ request: ServerRequest) throws(ControlError) {
        guard request.peer.isLoopback else {
            throw .forbidden("the control API is for this machine; from elsewhere it takes a control secret")
        }
        let fields = request.head.headerFields
        guard !fields.contains(.xForwardedFor), !fields.contains(.forwarded) else {
            throw .forbidden("this came through a proxy; from elsewhere the control API takes a control secret")
        }
        // A name that its owner points at this machine makes his page one of our own (DNS rebinding). An address cannot
        // be pointed anywhere.
        guard let authority = request.head.authority.flatMap({ Authority($0) }), isOurs(authority.host) else {
            throw .forbidden("the control API is reached by localhost, by an address, or by the issuer's name")
        }
    }

    private func isOurs(_ host: String) -> Bool {
        if let issuerHost, sameText(host, issuerHost) { return true }
        if host.hasPrefix("[") || IPAddressText.isIPv4(host.utf8.span) { return true }
        return WebOrigin("http://\(host)")?.isLoopback == true
    }

    private func check(_ secret: SharedSecret, in request: ServerRequest) throws(ControlError) {
        let values = request.head.headerFields[values: .authorization]
        guard values.count == 1, let credentials = try? BearerCredentials(authorization: values[0]),
            credentials.scheme == .bearer, secret.matches(Secret(utf8: credentials.token))
        else {
            throw ControlError(
                status: .unauthorized, code: "invalid_token",
                description: "the control API takes the control secret, as Authorization: Bearer",
                fields: [.wwwAuthenticate: "Bearer realm=\"pawl control\""])
        }
    }
}

extension HTTPField.Name {
    /// RFC 7239.
    fileprivate static let forwarded = Self(validated: "Forwarded")
    fileprivate static let secFetchSite = Self(validated: "Sec-Fetch-Site")
}
