/// What an endpoint has found out about a request, for its record, and for whoever passes the answer on.
struct RequestRemark: Sendable {
    /// Whose it is, where the request does not say so itself: a session in cookies.
    var clientID: String?
    /// The sessions in cookies that it began, told of, forked or ended.
    var families: [FamilyID] = []
    /// What became of a refresh token that it presented.
    var refresh: RefreshRecord?
    /// Names of the fields that a rotation policy has put into the answer: a page that may read it is to see them.
    var policyFields: [String] = []
}
