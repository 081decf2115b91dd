import Crypto
import OAuth
import Primitives

/// A login by authorization code with PKCE, from the request in the browser to the tokens (RFC 6749 section 4.1, RFC 7636,
/// RFC 9700 section 2.1).
///
///     let login = try await session.beginSignIn(returningTo: "com.example.app:/callback", asking: parameters)
///     let callback = try await show(login.url)
///     guard login.isAnswered(by: callback) else { return }
///     try await session.finishSignIn(login, callback: callback)
///
/// How the browser is opened and how its answer comes back is the app's business: a custom scheme, or a universal link. For the
/// loopback interface there is ``SessionManager/signInWithBrowser(asking:path:patience:open:)``.
public struct CodeLogin: Sendable {
    /// Where the user's browser has to go.
    public let url: String
    package let redirectURI: RedirectURI
    let tokens: TokenClient
    private let parameters: AuthorizationParameters
    /// Ties the answer to this login (RFC 6749 section 10.12).
    private let state: String
    /// Ties the ID token to this login; only where there will be one.
    private let nonce: String?
    /// Ties the code to this login (RFC 7636 section 1.1).
    private let verifier: CodeVerifier

    /// RFC 7636 section 4.1: 32 bytes become the 43 characters that it recommends.
    private static let verifierByteCount = 32

    package static func start(
        for tokens: TokenClient, returningTo redirectURI: RedirectURI, asking parameters: AuthorizationParameters,
        random: any RandomSource
    ) throws(LoginError) -> CodeLogin {
        guard let endpoint = tokens.server.authorizationEndpoint else {
            throw .notOffered("its metadata has no authorization_endpoint")
        }
        // RFC 9700 section 2.1.1: S256 alone keeps the verifier from whoever sees the request. A server that lists its
        // methods without it would take the request and check nothing.
        if let methods = tokens.server.codeChallengeMethods {
            guard methods.contains(where: { sameText($0, CodeChallengeMethod.s256.rawValue) }) else {
                throw .notOffered("its code_challenge_methods_supported lacks S256 (RFC 7636 section 4.2)")
            }
        }
        if parameters.firstReservedName != nil {
            throw .badRequest("one of the further parameters has no name, or that of one which the login makes itself")
        }
        // RFC 8252 section 7.3, RFC 9700 section 2.1: a code in the clear is anybody's, except on this machine.
        guard redirectURI.kind != .http else {
            throw .badRequest("an http redirect URI leads to this machine (127.0.0.1 or [::1]) and nowhere else")
        }
        return CodeLogin(
            tokens, endpoint, redirectURI, parameters,
            state: random.identifier(byteCount: CallbackParameters.stateByteCount),
            nonce: parameters.asksForIDToken ? random.identifier(byteCount: CallbackParameters.stateByteCount) : nil,
            verifier: random.identifier(byteCount: verifierByteCount))
    }

    private init(
        _ tokens: TokenClient, _ endpoint: ServerEndpoint, _ redirectURI: RedirectURI,
        _ parameters: AuthorizationParameters, state: String, nonce: String?, verifier: String
    ) {
        guard let verifier = CodeVerifier(verifier) else {
            preconditionFailure("Base64URL is the grammar of a verifier")
        }
        let challenge = CodeChallenge(.s256, of: verifier) { HashFunction.sha256.digest($0) }
        var pairs: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", tokens.client.clientID), ("redirect_uri", redirectURI.text),
            ("state", state), ("code_challenge", challenge.value),
            ("code_challenge_method", challenge.method.rawValue),
        ]
        if let nonce { pairs.append(("nonce", nonce)) }
        // RFC 9449 section 10: the code is then of use to nobody without the key.
        if let key = tokens.proofs?.key { pairs.append(("dpop_jkt", key.thumbprint)) }
        url = endpoint.appending(query: pairs + parameters.pairs)
        self.tokens = tokens
        self.redirectURI = redirectURI
        self.parameters = parameters
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
    }

    /// Whether a URL is an answer to this login, good or bad. Anybody can send a browser to the redirect URI; this one knew
    /// the state.
    public func isAnswered(by callback: String) -> Bool {
        CallbackParameters(callback, to: redirectURI)?.hasState(state) ?? false
    }

    /// Takes the URL that the browser came back with, and gets the tokens for it.
    package func finish(callback: String) async throws(LoginError) -> CompletedLogin {
        let code = try self.code(in: callback)
        let answer = await tokens.redeem(
            code: code, verifier: verifier, redirectURI: redirectURI, resources: parameters.resources)
        let expectation = IDTokenExpectation(
            issuer: tokens.server.issuer, clientID: tokens.client.clientID, isRequired: parameters.asksForIDToken,
            nonce: nonce, maxAge: parameters.maxAge)
        return try CompletedLogin(answer, of: tokens, expecting: expectation, scope: parameters.scope)
    }

    private func code(in callback: String) throws(LoginError) -> Secret {
        guard let answer = CallbackParameters(callback, to: redirectURI) else { throw .foreignAnswer(.otherAddress) }
        // RFC 9700 section 4.7.1: what does not have the state was begun by somebody else.
        guard answer.hasState(state) else { throw .foreignAnswer(.otherState) }
        // RFC 9207 section 2.4: compared before anything else of the answer is used, an error included. Where the server
        // does not say that it names itself, but does, the name must be right all the same.
        if let issuer = answer["iss"] {
            guard sameText(issuer, tokens.server.issuer.identifier) else { throw .foreignAnswer(.otherIssuer) }
        } else if tokens.server.namesIssuerInResponses {
            throw .foreignAnswer(.missingIssuer)
        }
        if let error = answer["error"] { throw LoginError(TokenRefusal(answer: error, answer["error_description"])) }
        // RFC 6749 section A.11: a code is made of visible characters.
        guard let code = answer["code"], code.utf8.allSatisfy(OAuthCharacters.isVisible) else {
            throw .foreignAnswer(.missingCode)
        }
        return Secret(utf8: code)
    }
}

extension CodeLogin: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The issuer alone, for a log.
    public var description: String { "CodeLogin(\(tokens.server.issuer))" }
    /// The issuer alone, for a log.
    public var debugDescription: String { description }
    /// Nothing of it, for a debugger.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TokenRefusal {
    /// An error in a URL: whoever sees the URL could have written it, so what is no code of RFC 6749 section 4.1.2.1 becomes
    /// one, and the description is cut and made printable.
    fileprivate init(answer code: String, _ description: String?) {
        let isCode =
            code.utf8.count <= TokenAnswerReader.maximumCodeByteCount
            && code.utf8.allSatisfy(OAuthCharacters.isDescriptionByte)
        self.init(
            code: isCode ? code : OAuthErrorCode.serverError.rawValue,
            description: description.map { text in
                let shown = text.utf8.prefix(TokenAnswerReader.maximumDescriptionByteCount).map {
                    OAuthCharacters.isDescriptionByte($0) ? $0 : UInt8(ascii: "'")
                }
                return String(decoding: shown, as: UTF8.self)
            })
    }
}
