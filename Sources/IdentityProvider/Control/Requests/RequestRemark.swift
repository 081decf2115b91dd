import HTTPMessages

/// What an endpoint has found out about a request, for its record, and for whoever passes the answer on.
final class RequestRemark: ResponseRemark {
    /// Whose it is, where the request does not say so itself: a session in cookies, an ID token.
    let clientID: String?
    /// Those that it began, told of, forked or ended; told of also by an access token that was no good any more.
    let families: [FamilyID]
    /// Logins that it ended, and with them the families that end with their login.
    let logins: [LoginID]
    /// What became of the refresh token that it presented.
    let refresh: RefreshRecord?
    /// Names of the fields that a rotation policy has put into the answer: a page that may read it is to see them.
    let policyFields: [String]

    init(
        clientID: String?, families: [FamilyID] = [], logins: [LoginID] = [], refresh: RefreshRecord? = nil,
        policyFields: [String] = []
    ) {
        self.clientID = clientID
        self.families = families
        self.logins = logins
        self.refresh = refresh
        self.policyFields = policyFields
    }

    /// All that it was about, each once: that of the refresh token first.
    var subjects: [FamilyID] {
        guard let refresh else { return families }
        return [refresh.family] + families.filter { $0 != refresh.family }
    }
}
