import HTTPMessages
import OAuth
import Primitives

/// A login for what has no browser or no keyboard: the user is shown a code, and says yes on another device (RFC 8628).
///
///     let completed = try await DeviceLogin(tokens, alarm: alarm).run(asking: scope) { prompt in
///         print("Go to \(prompt.verificationURL) and type \(prompt.userCode)")
///     }
package struct DeviceLogin: Sendable {
    private let tokens: TokenClient
    private let alarm: any Alarm

    /// RFC 8628 section 3.5: by so much `slow_down` makes the interval longer, for this poll and all that follow.
    static let slowDown = Duration.seconds(5)

    package init(_ tokens: TokenClient, alarm: any Alarm) {
        self.tokens = tokens
        self.alarm = alarm
    }

    package func run(
        asking scope: Scope = .empty, show: (DevicePrompt) async throws -> Void
    ) async throws(LoginError) -> CompletedLogin {
        let begun = tokens.clock.now()
        let authorization = try await authorize(scope)
        do { try await show(authorization.prompt) } catch is CancellationError { throw .cancelled } catch {
            throw .notPossibleHere("the code could not be shown")
        }
        let answer = try await poll(authorization, since: begun)
        let expectation = IDTokenExpectation(
            issuer: tokens.server.issuer, clientID: tokens.client.clientID, isRequired: scope.contains("openid"))
        return try CompletedLogin(answer, of: tokens, expecting: expectation, scope: scope)
    }

    /// RFC 8628 section 3.1.
    private func authorize(_ scope: Scope) async throws(LoginError) -> DeviceAuthorization {
        guard let endpoint = tokens.server.deviceAuthorizationEndpoint else {
            throw .notOffered("its metadata has no device_authorization_endpoint")
        }
        var form = FormBody()
        if !scope.isEmpty { form.append("scope", scope.text) }
        let request = tokens.authenticated(&form, to: endpoint)
        let response: HTTPResponse
        let body: [UInt8]
        do { (response, body) = try await tokens.outbound.send(request, body: form.bytes) } catch {
            throw LoginError(Unavailability(error))
        }
        if response.status == .ok, let authorization = DeviceAuthorization(body) { return authorization }
        // RFC 8628 section 3.2: errors are those of the token endpoint.
        let reader = TokenAnswerReader(receivedAt: tokens.clock.now(), secrets: form.secrets)
        switch reader.read(response, body) {
        case .refused(let refusal): throw LoginError(refusal)
        case .unavailable(let unavailability): throw LoginError(unavailability)
        case .granted, .incomplete: throw .unavailable(Unavailability(.unreadable))
        }
    }

    /// Asks until there is an answer that is one (RFC 8628 section 3.5).
    private func poll(_ authorization: DeviceAuthorization, since begun: Timestamp) async throws(LoginError)
        -> TokenAnswer
    {
        var interval = authorization.interval
        var waited = Duration.zero
        var delay = interval
        while true {
            guard await alarm.pause(for: delay) else { throw .cancelled }
            waited += delay
            let answer = await tokens.device(code: authorization.deviceCode)
            delay = interval
            switch answer {
            case .refused(let refusal) where sameText(refusal.code, OAuthErrorCode.authorizationPending.rawValue):
                break
            case .refused(let refusal) where sameText(refusal.code, OAuthErrorCode.slowDown.rawValue):
                interval += Self.slowDown
                delay = interval
            case .refused(let refusal) where sameText(refusal.code, OAuthErrorCode.expiredToken.rawValue):
                throw .expired
            case .unavailable(let unavailability) where unavailability.cause != .cancelled:
                // Section 3.5: where nobody answers, clients MUST reduce the frequency of their polls before they try again;
                // it suggests to double the interval.
                interval = max(interval, min(interval * 2, DeviceAuthorization.greatestInterval))
                delay = max(interval, unavailability.retryAfter ?? .zero)
            default: return answer
            }
            // Whichever shows first that the time is over: a clock that was set back makes nobody wait for ever.
            let elapsed = max(waited, tokens.clock.now() - begun)
            guard elapsed < authorization.prompt.lifetime else { throw .expired }
        }
    }
}
