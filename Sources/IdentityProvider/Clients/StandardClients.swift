import OAuth
import Primitives

/// The clients that are there without any configuration. Known to everybody, and right only where nothing is at stake.
package enum StandardClients {
    /// - `web`: a public application in a browser, which may have its sessions in cookies;
    /// - `native`: a public application on a phone or a desk;
    /// - `service`: confidential, with the secret `secret`; it may use every grant, the legacy ones included.
    package static func all() throws(ProviderConfigurationError) -> [Client] {
        [try web(), try native(), try service()]
    }

    package static let serviceID = "service"
    package static let serviceSecret = "secret"

    /// Redirect URIs of this machine with every port: what applications under development use.
    private static let loopbackRedirects = [
        "http://127.0.0.1/callback", "http://[::1]/callback", "http://localhost/callback", "http://127.0.0.1/",
        "http://[::1]/", "http://localhost/",
    ]
    private static let nativeRedirects =
        loopbackRedirects + ["com.example.app:/callback", "com.example.app://callback"]

    private static func web() throws(ProviderConfigurationError) -> Client {
        try publicClient("web", name: "Web application", kind: .web, redirects: loopbackRedirects) {
            $0.cookieSession = CookieSessionSettings()
        }
    }

    private static func native() throws(ProviderConfigurationError) -> Client {
        try publicClient("native", name: "Native application", kind: .native, redirects: nativeRedirects)
    }

    private static func publicClient(
        _ id: String, name: String, kind: ClientMetadata.Kind, redirects: [String],
        _ change: (inout ClientMetadata) -> Void = { _ in }
    ) throws(ProviderConfigurationError) -> Client {
        var metadata = ClientMetadata()
        metadata.name = name
        metadata.kind = kind
        metadata.redirectURIs = redirects.map(uri)
        metadata.postLogoutRedirectURIs = metadata.redirectURIs
        metadata.grants = [
            "authorization_code", RefreshTokenGrant.type, DeviceCodeGrant.type,
        ]
        metadata.responseTypes = [.code]
        metadata.authenticationMethod = "none"
        change(&metadata)
        return try Client(id: id, secret: nil, metadata: metadata)
    }

    private static func service() throws(ProviderConfigurationError) -> Client {
        var metadata = ClientMetadata()
        metadata.name = "Service"
        metadata.redirectURIs = loopbackRedirects.map(uri)
        metadata.postLogoutRedirectURIs = metadata.redirectURIs
        metadata.grants = everyGrant(with: Set(LegacyFeature.allCases))
        metadata.responseTypes = everyResponseType(with: Set(LegacyFeature.allCases))
        metadata.requiresPKCE = false
        return try Client(id: serviceID, secret: Secret(utf8: serviceSecret), metadata: metadata)
    }

    private static func uri(_ text: String) -> RedirectURI {
        do { return try RedirectURI(text) } catch { preconditionFailure("\(text): \(error)") }
    }

    /// What a client may register where these old things are on.
    package static func everyGrant(with legacy: Set<LegacyFeature>) -> Set<String> {
        var grants: Set = [
            "authorization_code", RefreshTokenGrant.type, ClientCredentialsGrant.type,
            DeviceCodeGrant.type, TokenExchangeGrant.type, JWTBearerGrant.type,
        ]
        if legacy.contains(.password) { grants.insert(PasswordGrant.type) }
        if legacy.contains(.implicit) || legacy.contains(.hybrid) { grants.insert("implicit") }
        return grants
    }

    package static func everyResponseType(with legacy: Set<LegacyFeature>) -> Set<ResponseType> {
        var types: Set<ResponseType> = [.code]
        if legacy.contains(.implicit) { types.formUnion([.token, .idToken, [.idToken, .token]]) }
        if legacy.contains(.hybrid) {
            types.formUnion([[.code, .token], [.code, .idToken], [.code, .idToken, .token]])
        }
        return types
    }
}
