import HTTPMessages
import OAuth
import Observability
import Primitives

/// Tells the servers of clients that a login has ended (OpenID Connect Back-Channel Logout 1.0).
///
/// Each is told once, whatever it answers: a logout token is good for two minutes, and a client that was away then asks
/// for new tokens sooner or later, and gets none.
struct BackChannelLogout: Sendable {
    let context: ProviderContext
    private let tokens: LogoutTokenIssuer
    private let metrics: LogoutMetrics

    init(context: ProviderContext) {
        self.context = context
        tokens = LogoutTokenIssuer(context: context)
        metrics = LogoutMetrics(registry: context.metrics)
    }

    /// Requests that are on their way at once.
    static let requestsAtOnce = 16

    private struct Recipient: Sendable {
        let client: Client
        let uri: String
        let login: Login
    }

    /// Tells all clients of these logins that want to hear it.
    ///
    /// Returns when the first of them, up to ``requestsAtOnce``, have answered or have had their time: no longer than
    /// one request may take. So whoever signed out finds the applications signed out, and none of them can hold him up.
    /// The others are told after that.
    func announce(_ logins: [Login], as issuer: Issuer?) async {
        let recipients = logins.flatMap(recipients)
        guard !recipients.isEmpty else { return }
        // In tasks of their own: that the browser does not wait for the answer keeps nobody from being told.
        let first = recipients.prefix(Self.requestsAtOnce)
        let task = Task { await tell(first, as: issuer) }
        let others = recipients.dropFirst(Self.requestsAtOnce)
        if !others.isEmpty {
            Task {
                await task.value
                var others = others
                while !others.isEmpty {
                    await tell(others.prefix(Self.requestsAtOnce), as: issuer)
                    others = others.dropFirst(Self.requestsAtOnce)
                }
            }
        }
        await task.value
    }

    private func recipients(of login: Login) -> [Recipient] {
        login.clientIDs.compactMap { id in
            guard let client = context.clients[id], let uri = client.metadata.backChannelLogoutURI else { return nil }
            return Recipient(client: client, uri: uri, login: login)
        }
    }

    private func tell(_ recipients: ArraySlice<Recipient>, as issuer: Issuer?) async {
        await withTaskGroup(of: Void.self) { group in
            for recipient in recipients { group.addTask { await tell(recipient, as: issuer) } }
        }
    }

    private func tell(_ recipient: Recipient, as issuer: Issuer?) async {
        let outcome = await outcome(of: recipient, as: issuer)
        metrics.count(outcome)
        context.logger.log(
            outcome.isDelivered ? .info : .warning, "logout.announced",
            [
                LogField("client", recipient.client.id), LogField("login", recipient.login.id.text),
                LogField("outcome", outcome.name), LogField("reason", outcome.reason),
            ])
    }

    private func outcome(of recipient: Recipient, as issuer: Issuer?) async -> LogoutAnnouncementOutcome {
        do throws(LogoutAnnouncementFailure) {
            let status = try await send(recipient, as: issuer).status
            // Section 2.8: 200; and 204, from servers that make it so where there is nothing to say. A redirect is
            // neither, and is not followed.
            return status == .ok || status == .noContent ? .delivered : .refused(status: status.code)
        } catch {
            return .failed(error)
        }
    }

    private func send(
        _ recipient: Recipient, as issuer: Issuer?
    ) async throws(LogoutAnnouncementFailure) -> HTTPResponse {
        guard let name = recipient.login.issuerIdentifier(for: recipient.client.id, else: issuer) else {
            throw .nameUnknown
        }
        let token: String
        do throws(OAuthError) {
            token = try await tokens.token(
                for: recipient.client, of: recipient.login, as: name, at: context.clock.now())
        } catch { throw .notSigned(error) }
        let form = FormParameters([("logout_token", token)])
        guard let request = HTTPRequest(postingFormTo: recipient.uri) else { throw .noWebAddress }
        do throws(OutboundFailure) {
            return try await context.outbound.send(request, body: Array(form.encoded.utf8)).0
        } catch { throw .unreachable(error) }
    }

    func advertise(in metadata: inout ServerMetadata) {
        // A provider that may not talk to anybody tells nobody.
        let isPossible = !(context.outbound is NoOutboundRequests)
        metadata[.backChannelLogoutSupported] = .bool(isPossible)
        metadata[.backChannelLogoutSessionSupported] = .bool(isPossible)
    }
}

extension HTTPRequest {
    /// A form that is posted to a URL of `http` or `https`; `nil` for anything else, and for a URL with user information.
    fileprivate init?(postingFormTo url: String) {
        guard let target = TargetURL(url) else { return nil }
        self.init(
            method: .post, scheme: target.scheme, authority: target.authority, path: target.pathAndQuery,
            headerFields: [
                .contentType: "application/x-www-form-urlencoded", .cacheControl: "no-store", .accept: "*/*",
            ])
    }
}
