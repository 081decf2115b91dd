import OAuth
import Primitives

/// Where tokens may be used (RFC 8707): what a client may name, and what follows from what was granted.
enum TargetPolicy {
    /// The resources that a request names, if the client may have tokens for them: `invalid_target` otherwise. A client
    /// whose audience is registered has tokens for that audience alone; any other may name what it likes.
    static func resources(of form: FormParameters, for client: Client) throws(OAuthError) -> [String] {
        let resources = try ResourceIndicator.all(of: form).map(\.text)
        try check(resources, for: client)
        return resources
    }

    static func check(_ targets: [String], for client: Client) throws(OAuthError) {
        let registered = client.metadata.accessTokenAudience
        guard registered.isEmpty || isWithin(targets, registered) else {
            throw OAuthError(.invalidTarget, "this client may not have tokens for that resource")
        }
    }

    /// RFC 8707 section 2.2: the resources of a token request are among those that were granted. None means all of those.
    static func targets(
        of request: TokenRequest, within granted: [String]
    ) throws(OAuthError) -> [String] {
        let wanted = try resources(of: request.form, for: request.client)
        guard !wanted.isEmpty else { return granted }
        guard isWithin(wanted, granted) else { throw notGranted }
        return wanted
    }

    static var notGranted: OAuthError {
        OAuthError(.invalidTarget, "the resource is none of those that were granted")
    }

    /// RFC 3986 section 6.2.1: byte by byte.
    static func isWithin(_ targets: [String], _ allowed: [String]) -> Bool {
        targets.allSatisfy { target in allowed.contains { sameText($0, target) } }
    }
}
