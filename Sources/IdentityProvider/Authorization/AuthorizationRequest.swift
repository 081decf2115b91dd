import OAuth
import Primitives

/// What a client asks of a user (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1), after all has been checked
/// that can be without the user.
package struct AuthorizationRequest: Sendable {
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
    package var hintedSubject: String?
    /// The context classes that the client would like, the best first.
    package let contextClasses: [String]
    package let uiLocales: String?
    package let display: Display
    package let claims: ClaimsRequest?
}

extension AuthorizationRequest {
    var isOpenID: Bool { scope.contains("openid") }

    /// The classes of which one must be reached (OpenID Connect Core section 5.5.1.1); empty: none must.
    var requiredContextClasses: [String] {
        guard let request = claims?.idToken["acr"], request.isEssential else { return [] }
        return request.values.compactMap(\.string)
    }

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
