import OAuth

/// The port of those who are not asked for a client certificate.
///
/// RFC 8414 section 3.3, RFC 9068 section 4: clients and resource servers compare `iss` with the issuer that they know.
/// RFC 8705 section 5 gives some endpoints another address for certificates, and not the provider another name: what is
/// got there is by the issuer of the ordinary port.
package struct OrdinaryEntrance: Hashable, Sendable {
    package let port: UInt16
    package let isEncrypted: Bool

    package init(port: UInt16, isEncrypted: Bool) {
        self.port = port
        self.isEncrypted = isEncrypted
    }

    /// Whether who comes in here calls the provider so.
    func isEntrance(of issuer: Issuer) -> Bool {
        issuer.isEncrypted == isEncrypted && issuer.port ?? (isEncrypted ? 443 : 80) == port
    }
}
