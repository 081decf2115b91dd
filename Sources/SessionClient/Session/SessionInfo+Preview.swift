import OAuth
import Primitives

extension SessionInfo {
    /// Of no session: for previews and tests of what shows a state.
    ///
    ///     let shown = [SessionState.active(SessionInfo()), .offline(SessionInfo()), .signedOut(SignOut(.user))]
    public init(scope: Scope? = nil, expires: Timestamp? = nil, canRefresh: Bool = true) {
        mark = CredentialMark(epoch: 0, generation: 0)
        self.scope = scope
        self.expires = expires
        self.canRefresh = canRefresh
    }
}
