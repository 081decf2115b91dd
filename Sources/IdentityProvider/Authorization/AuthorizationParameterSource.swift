import OAuth
import Primitives

/// Somewhere else where the parameters of an authorization request may come from than the query or the form: a request
/// that was pushed ahead (RFC 9126), a signed request object (RFC 9101). Each is added by one line where the provider is
/// composed.
protocol AuthorizationParameterSource: Sendable {
    var kind: AuthorizationParameterKind { get }

    /// The parameters that stand in the place of those of `form`; `nil` when the form has nothing for this source.
    ///
    /// Everything that is used of the request comes from the result, so that it holds `client_id` too where the sender
    /// put it; one that names another client than the form is refused by whoever calls. What is thrown goes to the
    /// redirect URI that the form itself names, if it is the client's, and else to a page.
    func parameters(
        of form: FormParameters, for client: Client, as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(OAuthError) -> FormParameters?

    /// Says in the metadata what this source makes possible.
    func advertise(in metadata: inout ServerMetadata)
}

/// How the parameters of a request came, for clients that registered one way alone.
enum AuthorizationParameterKind: Sendable, Hashable {
    case plain
    /// RFC 9126.
    case pushed
    /// RFC 9101.
    case signedObject
}
