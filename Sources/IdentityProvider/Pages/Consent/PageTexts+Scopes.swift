import Primitives

extension PageTexts.Scopes {
    /// `nil` for one that OpenID Connect does not define.
    func known(_ scope: String) -> PageTexts.Scope? {
        let known: KeyValuePairs = [
            "openid": openid, "profile": profile, "email": email, "address": address, "phone": phone,
            "offline_access": offlineAccess,
        ]
        return known.first { sameText($0.key, scope) }?.value
    }
}
