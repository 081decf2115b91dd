import OAuth
import Primitives

/// What a login has given: tokens, the key that they may be bound to, and who the user is.
package struct CompletedLogin: Sendable {
    package let grant: TokenGrant
    /// The key that the proofs were made with. It belongs into the same record as the tokens: without it they are lost.
    package let proofKey: DPoPKey?
    /// `nil` where there is no ID token: OpenID Connect was not asked for.
    package let identity: IDTokenClaims?
    /// The same as it is stored.
    let keptKey: Secret?
    /// What was asked for. A grant that says nothing else has it (RFC 6749 section 5.1).
    package let requestedScope: Scope

    init(_ answer: TokenAnswer, of tokens: TokenClient, expecting expectation: IDTokenExpectation, scope: Scope)
        throws(LoginError)
    {
        switch answer {
        case .refused(let refusal): throw LoginError(refusal)
        case .unavailable(let unavailability): throw LoginError(unavailability)
        // A login that brings no access token is none.
        case .incomplete: throw LoginError(Unavailability(.unreadable))
        case .granted(let grant):
            self.grant = grant
            proofKey = tokens.proofs?.key
            do { keptKey = try proofKey?.pem() } catch {
                throw .notPossibleHere("the key of the session cannot be written")
            }
            requestedScope = scope
            do { identity = try expectation.check(grant) } catch { throw .badIDToken(error) }
        }
    }

    /// What is stored of it.
    var keptGrant: TokenGrant {
        var grant = grant
        if grant.scope == nil { grant.scope = requestedScope }
        return grant
    }
}
