import OAuth
import Observability
import Primitives

/// Ends logins: for a user who signs out, and for whoever runs the provider.
///
/// That a login has ended is one word in one record, said once. Whatever follows from it looks there: families that end
/// with their login (OpenID Connect Back-Channel Logout section 2.7: all but those with `offline_access`) have neither a
/// good access token nor a good refresh token from that moment on, and none can begin. So nothing has to be found and
/// ended one by one, and nothing that comes at the same moment can be missed.
package struct LoginEnding: Sendable {
    private let context: ProviderContext
    private let backChannel: BackChannelLogout

    package init(context: ProviderContext) {
        self.context = context
        backChannel = BackChannelLogout(context: context)
    }

    /// Ends logins, and tells the clients of each that they have ended.
    ///
    /// - Parameter issuer: for clients of whom it is not known by what name they know the provider. Without one, they
    ///   cannot be told.
    /// - Returns: those that this call has ended, as they were then; not those that had ended before, which somebody else
    ///   has told of.
    @discardableResult
    package func end(
        _ ids: some Sequence<LoginID> & Sendable, _ reason: Family.Reason, as issuer: Issuer?, at now: Timestamp
    ) async throws(OAuthError) -> [Login] {
        let outcome = await endQuietly(ids, reason, at: now)
        // Of those that have ended, the clients hear, whatever became of the others.
        await announce(outcome.ended, as: issuer)
        if let failure = outcome.failure { throw failure }
        return outcome.ended
    }

    /// Ends logins, and leaves it to the caller to announce those that have ended.
    func endQuietly(
        _ ids: some Sequence<LoginID> & Sendable, _ reason: Family.Reason, at now: Timestamp
    ) async -> (ended: [Login], failure: OAuthError?) {
        var ended: [Login] = []
        var failure: OAuthError?
        for id in ids {
            do throws(OAuthError) {
                guard let login = try await end(id, reason, at: now) else { continue }
                ended.append(login)
                context.logger.info(
                    "login.ended",
                    [
                        LogField("login", id.text), LogField("reason", reason.rawValue),
                        LogField("clients", login.clientIDs.count),
                    ])
            } catch {
                failure = error
            }
        }
        return (ended, failure)
    }

    /// Tells the clients of logins that have ended, and waits as long as `BackChannelLogout` does.
    func announce(_ ended: [Login], as issuer: Issuer?) async {
        await backChannel.announce(ended, as: issuer)
    }

    private func end(
        _ id: LoginID, _ reason: Family.Reason, at now: Timestamp
    ) async throws(OAuthError) -> Login? {
        let ended = try await context.storing { store throws(StoreError) in
            try await store.change(id) { login -> Login? in
                guard login.ended == nil else { return nil }
                login.ended = Family.Ending(reason, at: now)
                return login
            }
        }
        return ended ?? nil
    }
}

extension LoginEnding {
    func advertise(in metadata: inout ServerMetadata) { backChannel.advertise(in: &metadata) }
}
