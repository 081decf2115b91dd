import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

/// Steps that are taken at two providers, and what each of them answers: refresh tokens have numbers in the order in which they
/// were given, and 1 came with the login.
struct RotationScript {
    enum Step: Hashable, Sendable {
        /// Presents this refresh token.
        case refresh(Int)
        /// Uses the access token that was given last, or that of the login.
        case use(Access)
        /// Gives this refresh token back.
        case revoke(Int)
        /// Until the window is over.
        case wait

        enum Access: Hashable, Sendable { case first, last }
    }

    /// At which provider.
    let tokens: TokenClient
    let outbound: any OutboundRequests
    let wait: @Sendable () async throws -> Void

    /// One line for each step.
    func run(_ steps: [Step], from login: TokenGrant) async throws -> [String] {
        var refreshTokens = [try #require(login.refreshToken)]
        let first = login.accessToken
        var last = first
        var lines: [String] = []
        for step in steps {
            switch step {
            case .refresh(let number):
                let answer = await tokens.refresh(refreshTokens[number - 1])
                switch answer {
                case .granted(let grant):
                    let given = try #require(grant.refreshToken)
                    if !refreshTokens.contains(given) { refreshTokens.append(given) }
                    last = grant.accessToken
                    lines.append("\(number) gives \(refreshTokens.firstIndex(of: given)! + 1)")
                case .incomplete: lines.append("\(number) gives no access token")
                case .refused(let refusal): lines.append("\(number) is refused: \(refusal.code)")
                case .unavailable(let unavailability): lines.append("\(number): \(unavailability)")
                }
            case .use(let access):
                lines.append("\(access): \(try await use(access == .first ? first : last))")
            case .revoke(let number): lines.append("\(number): \(await tokens.revoke(refreshTokens[number - 1]))")
            case .wait: try await wait()
            }
        }
        return lines
    }

    private func use(_ accessToken: Secret) async throws -> Int {
        var request = try #require(tokens.server.userinfoEndpoint).request(.get)
        request.headerFields[.authorization] =
            "Bearer " + accessToken.withBytes { String(decoding: $0, as: UTF8.self) }
        return try await outbound.send(request, body: []).0.status.code
    }
}
