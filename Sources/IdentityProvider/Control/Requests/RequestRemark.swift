/// What whoever answers a request has found out, for the record of it: what its parameters do not say.
struct RequestRemark: Sendable {
    /// The client whose cookie or token it was, or that was named where a record does not look.
    var clientID: String?
    var refresh: RefreshRecord?
}
