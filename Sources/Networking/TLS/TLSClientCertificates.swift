/// Whether a server asks its clients for a certificate (RFC 8705).
package enum TLSClientCertificates: Hashable, Sendable {
    /// It does not. What browsers expect of a site: they would ask their user which one to show.
    case none
    /// It does, and lets everybody in: whoever has none, and whoever has one that nobody vouches for, such as one that
    /// signs itself (RFC 8705 section 2.2). TLS proves that the client has the key; `ClientCertificate.isTrusted` tells
    /// whether an authority in this PEM file vouches for it. Without a file, none is trusted.
    case optional(authorities: String? = nil)

    /// Bytes of a client's certificate with those above it; the handshake fails for more.
    package static let chainLimit = 16 << 10

    var areAskedFor: Bool { self != .none }
}
