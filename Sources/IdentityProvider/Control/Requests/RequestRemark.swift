/// What an endpoint has found out about a request, for its record, and for whoever passes the answer on.
struct RequestRemark: Sendable {
    /// Whose it is, where the request does not say so itself: a session in cookies, an ID token.
    var clientID: String?
    /// Those that it began, told of, forked or ended; told of also by an access token that was no good any more.
    var families: [FamilyID] = []
    /// Logins that it ended, and with them the families that end with their login.
    var logins: [LoginID] = []
    /// What became of the refresh token that it presented.
    var refresh: RefreshRecord?
    /// All that it was about, each once: that of the refresh token first.
    var subjects: [FamilyID] {
        let presented = refresh.map { [$0.family] } ?? []
        return presented + families.filter { !presented.contains($0) }
    }
    /// Names of the fields that a rotation policy has put into the answer: a page that may read it is to see them.
    var policyFields: [String] = []
}
