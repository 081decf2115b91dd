/// What whoever answers a request has found out, for those who record the answer or pass it on: what the request does not
/// say, and the answer does not show.
struct RequestRemark: Sendable {
    /// The client whose cookie or token it was, or that was named where a record does not look.
    var clientID: String?
    var refresh: RefreshRecord?
    /// Names of the fields that a rotation policy has put into the answer: a page that may read it is to see them.
    var policyFields: [String] = []
}
