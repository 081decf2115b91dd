import HTTPMessages
import Primitives

/// A browser's request as the upstream gets it.
struct OutgoingRequest: Sendable {
    let upstream: UpstreamAddress
    let origin: PublicOrigin
    let cookies: ProxyCookies

    /// Without whatever would prove something, or says where the request came from: of the one the proxy has its own, and of the
    /// other it knows what is so.
    func make(of request: ProxyRequest) -> HTTPRequest {
        var fields = HTTPFields(HopFields.removed(from: request.fields).filter { !Self.isReplaced($0.name) })
        if let others = cookies.withoutOwn(request.fields) { fields.append(name: .cookie, value: others) }
        let peer = request.server.peer.address
        let scheme = origin.isEncrypted ? "https" : "http"
        fields.append(name: .xForwardedFor, value: peer)
        fields.append(name: .xForwardedProto, value: scheme)
        fields.append(name: .xForwardedHost, value: origin.authority)
        fields.append(
            name: .forwarded, value: "for=\(Self.node(peer));host=\"\(origin.authority)\";proto=\(scheme)")
        fields.append(name: .xRequestID, value: request.server.id)
        // The upstream is asked under its own name: it may be one of several behind an address.
        return HTTPRequest(
            method: request.head.method, scheme: upstream.scheme, authority: upstream.authority,
            path: upstream.basePath + request.target, headerFields: fields)
    }

    private static func isReplaced(_ name: HTTPField.Name) -> Bool {
        switch name.wellKnown {
        case .authorization, .cookie, .host, .contentLength, .expect, .dpop, .forwarded, .xRequestID: true
        default: Self.saysWhereFrom(name.canonicalName)
        }
    }

    /// Whatever servers read as that, whether or not there is a constant for it.
    private static func saysWhereFrom(_ name: String) -> Bool {
        // To a server that turns fields into variables (RFC 3875 section 4.1.18) it is the same name as one with hyphens.
        name == "x-real-ip" || name.hasPrefix("x-forwarded-") || name.utf8.contains(UInt8(ascii: "_"))
    }

    /// RFC 7239 section 6: an IPv6 address stands in brackets and so in quotation marks; who has no address is unknown.
    private static func node(_ address: String) -> String {
        if IPAddressText.isIPv4(address.utf8.span) { return address }
        return IPAddressText.isIPv6(address.utf8.span) ? "\"[\(address)]\"" : "unknown"
    }
}
