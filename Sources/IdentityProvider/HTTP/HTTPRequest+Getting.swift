import HTTPMessages
import OAuth
import Primitives

extension HTTPRequest {
    /// A request for what is at a URL of `http` or `https`; `nil` for anything else, and for a URL with user information,
    /// which is never sent on.
    init?(getting url: String, accepting mediaTypes: String) {
        guard let target = TargetURL(url) else { return nil }
        self.init(
            method: .get, scheme: target.scheme, authority: target.authority, path: target.pathAndQuery,
            headerFields: [.accept: mediaTypes])
    }
}
