import HTTPMessages
import OAuth
import Primitives

/// One request of a browser, with what it has proven about itself.
struct Visit: Sendable {
    let request: ServerRequest
    let issuer: PreparedIssuer
    let now: Timestamp
    var session: BrowserSession
    /// `ui_locales` of the request that it is about.
    var uiLocales: String?
    /// What was found out for the record; `nil`: the answer has that itself, or there is nothing.
    var remark: RequestRemark?

    /// A path of this provider, as a page of ours is sent there: without host, so that it holds by whatever name the
    /// browser reached us.
    func path(_ path: String) -> String { issuer.issuer.basePath + path }

    /// The same as the action of a form.
    func action(_ path: String) -> PageURL {
        guard let url = PageURL(self.path(path)) else { preconditionFailure("a path of ours is no path") }
        return url
    }
}
