import OAuth
import Primitives

/// What a client asks of a user (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1), after all has been checked
/// that can be without the user. Shared, for it goes from hand to hand until there is an answer.
package final class AuthorizationRequest: Sendable {
    package let clientID: String
    /// In which stay of the client it came: the answer is for no other (``Client/stay``).
    package let clientStay: Int
    package let target: ResponseTarget
    package let responseType: ResponseType
    package let scope: Scope
    /// RFC 8707.
    package let resources: [String]
    /// RFC 7636.
    package let challenge: CodeChallenge?
    /// RFC 9449 section 10: the key that the code is bound to.
    package let proofKeyThumbprint: String?
    package let nonce: String?
    package let prompt: Prompt
    package let maximumAge: MaxAge?
    package let loginHint: String?
    /// As it came: nothing is known of it but its text.
    package let idTokenHint: String?
    /// `sub` of a verified `id_token_hint`, as the client knows the user.
    package let hintedSubject: String?
    /// The context classes that the client would like, the best first.
    package let contextClasses: [String]
    package let uiLocales: String?
    package let display: Display
    package let claims: ClaimsRequest?

    package init(
        clientID: String, clientStay: Int, target: ResponseTarget, responseType: ResponseType, scope: Scope,
        resources: [String], challenge: CodeChallenge?, proofKeyThumbprint: String?, nonce: String?, prompt: Prompt,
        maximumAge: MaxAge?, loginHint: String?, idTokenHint: String?, hintedSubject: String?,
        contextClasses: [String], uiLocales: String?, display: Display, claims: ClaimsRequest?
    ) {
        self.clientID = clientID
        self.clientStay = clientStay
        self.target = target
        self.responseType = responseType
        self.scope = scope
        self.resources = resources
        self.challenge = challenge
        self.proofKeyThumbprint = proofKeyThumbprint
        self.nonce = nonce
        self.prompt = prompt
        self.maximumAge = maximumAge
        self.loginHint = loginHint
        self.idTokenHint = idTokenHint
        self.hintedSubject = hintedSubject
        self.contextClasses = contextClasses
        self.uiLocales = uiLocales
        self.display = display
        self.claims = claims
    }
}

extension AuthorizationRequest {
    /// The classes of which one must be reached; empty: none must.
    var requiredContextClasses: [String] { claims?.requiredContextClasses ?? [] }

    /// The classes that a login should reach, the best first: by the claim, whether essential or not, and by `acr_values`.
    var wantedContextClasses: [String] {
        (claims?.idToken["acr"]?.values.compactMap(\.string) ?? []) + contextClasses
    }

    /// OpenID Connect Core section 3.1.2.2, step 4: the positive answer is about this user or there is none, whether he
    /// was named by a hint or by the value of the claim.
    func permits(subject: String) -> Bool {
        if let hintedSubject, !sameText(hintedSubject, subject) { return false }
        return claims?.idToken["sub"]?.permits(.string(subject)) ?? true
    }

    /// Whether it says whom it is about.
    var namesSubject: Bool {
        hintedSubject != nil || claims?.idToken["sub"].map { !$0.values.isEmpty } ?? false
    }
}

extension ClaimsRequest {
    /// The classes of which one must be reached (OpenID Connect Core section 5.5.1.1); empty: none must.
    var requiredContextClasses: [String] {
        guard let request = idToken["acr"], request.isEssential else { return [] }
        return request.values.compactMap(\.string)
    }
}
