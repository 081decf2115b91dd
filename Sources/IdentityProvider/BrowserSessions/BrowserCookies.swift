import HTTPMessages
import OAuth

/// The provider's own cookies: what they are called, and what a browser is told about them.
///
/// `HttpOnly`, for no page has a script that needs them. `SameSite=Lax`, not `Strict`: a client sends its user here from
/// another site, and with `Strict` that navigation would come without the login, so that nobody would ever be known
/// already. What `Lax` lets through is what may be asked by anybody, a top-level `GET`; what changes something is posted,
/// and a post from another site comes without them. No `Max-Age`: they go when the browser does.
///
/// Over TLS the names begin with `__Host-`, so that no neighbour on the domain can set them (RFC 6265bis section 4.1.3.2).
/// That prefix wants the path `/`, which a tenant must not have: tenants do not meet. Theirs begin with `__Secure-`.
/// Cookies do not tell ports apart (RFC 6265 section 8.5), and several providers on one machine is what tests do: the port
/// is in the name.
struct BrowserCookies: Sendable, Hashable {
    /// Which browser it is: what interactions and forms are bound to.
    let browserName: String
    /// Who is logged in.
    let loginName: String
    let path: String
    let isSecure: Bool

    /// How the names of both begin, behind a prefix.
    static let ownNames = ["pawl_browser", "pawl_login"]

    /// - Parameter isEncrypted: whether the browser comes through TLS, which the issuer need not say: the port for client
    ///   certificates has the name of an ordinary one, which may be in the clear.
    init(for issuer: Issuer, isEncrypted: Bool) {
        isSecure = isEncrypted || issuer.isEncrypted
        // A semicolon, which a path may have, would end the attribute; and what is too long browsers ignore.
        let base = issuer.basePath
        let isPossible = ResponseCookie.isPath(base) && base.utf8.count <= ResponseCookie.attributeLimit
        path = isPossible ? base : "/"
        let prefix = !isSecure ? "" : path == "/" ? "__Host-" : "__Secure-"
        let suffix = issuer.port.map { "_\($0)" } ?? ""
        browserName = prefix + Self.ownNames[0] + suffix
        loginName = prefix + Self.ownNames[1] + suffix
    }

    /// - Parameter value: `nil` takes the cookie away.
    func cookie(_ name: String, _ value: String?) -> ResponseCookie {
        do {
            return try ResponseCookie(
                name: name, value: value ?? "", path: path, maxAge: value == nil ? .zero : nil, isSecure: isSecure,
                isHTTPOnly: true, sameSite: .lax)
        } catch {
            preconditionFailure("a cookie of ours is malformed: \(error)")
        }
    }
}
