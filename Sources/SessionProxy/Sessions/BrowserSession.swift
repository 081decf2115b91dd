import Primitives
import SessionClient
import Synchronization

/// One login of one browser: a family of tokens of its own, which nobody else refreshes.
final class BrowserSession: Sendable {
    let manager: SessionManager
    /// Names the user at the provider; `nil` where no ID token was asked for.
    let subject: String?
    /// What the page may know of him.
    let claims: JSONObject
    let began: Timestamp
    /// For the log.
    let label: String

    private struct State {
        var hasEnded = false
        var unwelcome: CredentialMark?
    }

    private let state = Mutex(State())

    init(manager: SessionManager, subject: String?, claims: JSONObject, began: Timestamp, label: String) {
        self.manager = manager
        self.subject = subject
        self.claims = claims
        self.began = began
        self.label = label
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Signs the user out: nothing is sent with its tokens any more, and they are given back to the provider. Ends once.
    func end() async {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        if isFirst { try? await manager.signOut() }
    }
}

// MARK: - Tokens

extension BrowserSession {
    /// Another token in the place of one that the upstream refused; `nil` where there is none to be had, or another would be refused
    /// just so.
    func replacement(for refused: AccessToken) async throws(SessionError) -> AccessToken? {
        guard state.withLock({ $0.unwelcome }) != refused.mark, canRefresh else { return nil }
        let fresh = try await manager.accessToken(replacing: refused)
        // What one user wanted is not done in the name of the next.
        guard fresh.mark.epoch == refused.mark.epoch, fresh.mark != refused.mark else { return nil }
        return fresh
    }

    /// The upstream refuses it though it is fresh: a next one would fare no better, and asking for one with each request of a page
    /// would hammer the provider.
    func isUnwelcome(_ token: AccessToken) { state.withLock { $0.unwelcome = token.mark } }

    private var canRefresh: Bool {
        switch manager.state {
        case .active(let info), .offline(let info): info.canRefresh
        case .restoring, .locked, .signedOut: false
        }
    }
}
