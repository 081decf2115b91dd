import OAuth

extension Client {
    /// What the client gets when it asks for `requested`.
    ///
    /// RFC 6749 section 3.3: a scope that is left out means a default that the provider chose. Section 5.2:
    /// `invalid_scope` for one that is malformed, or exceeds what the client may have; it never gets less in silence.
    func scope(for requested: String?) throws(OAuthError) -> Scope {
        guard let requested else { return metadata.defaultScope }
        let scope: Scope
        do { scope = try Scope(parsing: requested) } catch { throw OAuthError(.invalidScope, error.description) }
        guard case .listed(let allowed) = metadata.scopes, !scope.isSubset(of: allowed) else { return scope }
        throw OAuthError(
            .invalidScope,
            allowed.isEmpty ? "this client may ask for no scope" : "this client may ask for: \(allowed.text)",
            cause: "scope not allowed to the client")
    }
}
