import OAuth

/// By which name the provider goes.
package enum IssuerPolicy: Sendable {
    /// Always this one; the endpoints are below its path. For a provider behind a proxy, or in a container that the
    /// browser knows by another name.
    case fixed(Issuer)
    /// The scheme and the host by which the client reached it: `http://localhost:8080` for one, `http://idp:8080` for
    /// the other. Behind a proxy that ends TLS it would be the wrong one.
    case followsHost

    var basePath: String {
        switch self {
        case .fixed(let issuer): issuer.basePath
        case .followsHost: ""
        }
    }
}
