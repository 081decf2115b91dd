import IdentityProvider
import OAuth

extension TestIdentityProvider {
    /// Decides for a user whether a device gets its tokens (RFC 8628 section 3.3): what he would do on the page.
    ///
    ///     try await idp.decideDevice(userCode, as: "alice")
    ///     try await idp.decideDevice(otherCode, as: "alice", approving: false)
    public func decideDevice(
        _ userCode: String, as username: String, approving isApproved: Bool = true
    ) async throws(IdentityProviderTestingError) {
        guard let user = context.users[username: username] else {
            throw IdentityProviderTestingError(.unknownUser, "there is no user \(username)")
        }
        let outcome: DeviceVerification.Outcome
        do throws(OAuthError) {
            outcome = try await DeviceVerification.decide(
                userCode: userCode, as: user, approve: isApproved, in: context)
        } catch {
            throw IdentityProviderTestingError(.refused, error.publicDescription)
        }
        switch outcome {
        case .decided: return
        case .unknownCode:
            throw IdentityProviderTestingError(.refused, "no device shows this code, or its time is over")
        case .decidedBefore: throw IdentityProviderTestingError(.refused, "it was decided before")
        }
    }
}
