import OAuth
import Primitives

/// A sign-out at the server, in the user's browser (OpenID Connect RP-Initiated Logout section 2).
///
///     if let logout = try await session.signOutEverywhere(returningTo: "com.example.app:/bye") {
///         let callback = try await show(logout.url)
///         print(logout.isAnswered(by: callback))
///     }
public struct EndSessionRequest: Sendable {
    /// It holds the ID token, as the standard recommends, and is for the browser alone: not for a log.
    public let url: String
    private let redirectURI: RedirectURI?
    private let state: String

    /// `nil` where the server has no endpoint for it.
    ///
    /// - Parameters:
    ///   - idToken: says whose session it is; without it the server asks the user, and needs not send him back.
    ///   - redirectURI: where the browser goes then; it must be registered with the server (section 3).
    package init?(
        at server: ServerDescription, clientID: String, idToken: Secret? = nil,
        returningTo redirectURI: RedirectURI? = nil,
        languages: [String] = [], random: any RandomSource
    ) {
        guard let endpoint = server.endSessionEndpoint else { return nil }
        state = random.identifier(byteCount: CallbackParameters.stateByteCount)
        self.redirectURI = redirectURI
        var parameters: [(name: String, value: String)] = []
        if let idToken {
            parameters.append(("id_token_hint", idToken.withBytes { String(decoding: $0, as: UTF8.self) }))
        }
        parameters.append(("client_id", clientID))
        if let redirectURI {
            parameters.append(("post_logout_redirect_uri", redirectURI.text))
            parameters.append(("state", state))
        }
        if !languages.isEmpty { parameters.append(("ui_locales", languages.joined(separator: " "))) }
        url = endpoint.appending(query: parameters)
    }

    /// Section 3: the server passes the state back. Anybody can send a browser to the redirect URI without it.
    public func isAnswered(by callback: String) -> Bool {
        guard let redirectURI, let parameters = CallbackParameters(callback, to: redirectURI) else { return false }
        return parameters.hasState(state)
    }
}

extension EndSessionRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of it, for a log.
    public var description: String { "<redacted>" }
    /// Nothing of it, for a log.
    public var debugDescription: String { "<redacted>" }
    /// Nothing of it, for a debugger.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
