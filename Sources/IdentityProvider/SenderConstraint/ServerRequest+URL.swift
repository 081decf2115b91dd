import HTTPMessages

extension ServerRequest {
    /// The URL that it was sent to, without the query: what the sender called us.
    var url: String? {
        guard let authority = head.authority, let path = head.path else { return nil }
        return (peer.isEncrypted ? "https://" : "http://") + authority + path.prefix { $0 != "?" }
    }
}
