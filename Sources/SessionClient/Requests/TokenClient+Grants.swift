import OAuth
import Primitives

extension TokenClient {
    /// RFC 6749 section 6. The scope must not be more than what was granted; `nil`: the same.
    ///
    /// - Parameter formerType: of the access token that is to be replaced; `nil`: the answer has to say one.
    package func refresh(
        _ refreshToken: Secret, scope: Scope? = nil, formerType: String? = nil
    ) async -> TokenAnswer {
        var form = FormBody(grant: "refresh_token")
        form.append("refresh_token", refreshToken)
        if let scope, !scope.isEmpty { form.append("scope", scope.text) }
        return await ask(form, formerType: formerType)
    }

    /// RFC 6749 section 4.1.3, with the verifier of RFC 7636 section 4.5.
    package func redeem(
        code: Secret, verifier: CodeVerifier, redirectURI: RedirectURI, resources: [String] = []
    ) async -> TokenAnswer {
        var form = FormBody(grant: "authorization_code")
        form.append("code", code)
        form.append("redirect_uri", redirectURI.text)
        form.append("code_verifier", verifier.secret)
        // RFC 8707 section 2.2.
        for resource in resources { form.append("resource", resource) }
        return await ask(form)
    }

    /// RFC 8628 section 3.4: one poll.
    package func device(code: Secret) async -> TokenAnswer {
        var form = FormBody(grant: "urn:ietf:params:oauth:grant-type:device_code")
        form.append("device_code", code)
        return await ask(form)
    }

    /// RFC 6749 section 4.3. For tests: RFC 9700 section 2.4 says that it MUST NOT be used, since the app sees the password.
    package func password(userName: String, password: Secret, scope: Scope? = nil) async -> TokenAnswer {
        var form = FormBody(grant: "password")
        form.append("username", userName)
        form.append("password", password)
        if let scope, !scope.isEmpty { form.append("scope", scope.text) }
        return await ask(form)
    }
}
