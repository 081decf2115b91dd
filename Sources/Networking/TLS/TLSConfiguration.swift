/// Where a server's certificate and key come from.
package enum TLSConfiguration: Hashable, Sendable {
    /// PEM files: the certificate with whatever chain it needs behind it, and its key, not encrypted.
    case files(certificate: String, key: String)
    /// A local authority in `directory`, made when it is not there, and a certificate by it for `localhost`,
    /// `127.0.0.1`, `::1` and these names.
    case automatic(directory: String, names: [String] = [])
}
