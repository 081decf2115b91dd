import JOSE
import OAuth
import Primitives

/// Believes assertions about users (RFC 7523 section 3), of two sorts of issuer and no others: a client of the
/// configuration that presents one, which signs with a key of its own, and whoever the configuration trusts.
struct BearerAssertions: Sendable {
    let context: ProviderContext

    /// Whom an assertion is about, once everything about it has been found right and its use has been noted.
    func subject(
        of text: String, presentedBy client: Client, as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(OAuthError) -> Subject {
        guard let claimed = UnverifiedAssertion(text) else {
            throw Self.refused("it is not a JWT that names its issuer")
        }
        let keys = try await keys(of: claimed, presentedBy: client, at: now)
        let policy = AssertionPolicy(
            issuer: claimed.issuer, audiences: AssertionPolicy.audiences(of: issuer),
            longestLifetime: context.configuration.lifetimes.assertion)
        let assertion: VerifiedAssertion
        do { assertion = try policy.verify(text, keys: keys, at: now) } catch { throw Self.refused(error.description) }
        guard let user = context.user(withSubject: assertion.subject) else {
            throw Self.refused("its sub is nobody here")
        }
        guard try await context.spend(assertion, at: now) else {
            throw Self.refused(AssertionError.used.description)
        }
        return Subject(user: user, assertion: assertion)
    }

    /// A user for whom somebody spoke.
    struct Subject: Sendable {
        let user: User
        let assertion: VerifiedAssertion
    }

    /// RFC 7523 section 3 item 1: the issuer is compared as it stands. Our own tokens are no assertions: they are
    /// exchanged (RFC 8693), where their rules hold.
    private func keys(
        of claimed: UnverifiedAssertion, presentedBy client: Client, at now: Timestamp
    ) async throws(OAuthError) -> VerificationKeySet {
        if sameText(claimed.issuer, client.id) {
            // RFC 7523 section 5, RFC 7591 section 5: whoever registers himself brings his own key, and is nobody whom
            // the provider has agreed to believe about its users.
            guard client.origin == .configured else {
                throw Self.refused("a client that is not in the configuration is not believed about users")
            }
            do throws(ClientKeyFailure) {
                return .asserting(
                    try await context.clientKeys.keys(of: client, at: now, suffices: claimed.mayBeSigned(by:)))
            } catch {
                throw Self.refused("there are no keys of the client", cause: error.description)
            }
        }
        let issuer = claimed.issuer
        guard let trusted = context.configuration.trustedIssuers.first(where: { sameText($0.identifier, issuer) })
        else { throw Self.refused("its issuer is neither this client nor one that is trusted") }
        return .asserting(trusted.keys)
    }

    /// RFC 7523 section 3.1: invalid_grant, and the reason in the description.
    private static func refused(_ reason: String, cause: String? = nil) -> OAuthError {
        OAuthError(.invalidGrant, "the assertion was refused: \(reason)", cause: cause)
    }
}
