import Crypto
import HTTPMessages
import OAuth
import Primitives

/// Tells forms that our own pages sent from those that another site made a browser send.
///
/// A form carries an authentication code over its name and the secret of the browser that it was made for. Another site
/// knows neither that secret nor, by the rule of same origin, the form. Besides, what browsers say by themselves about
/// where a form came from must be right wherever they say it.
struct FormGuard: Sendable {
    private let authenticator: HMAC

    init(context: ProviderContext) {
        authenticator = HMAC(.sha256, key: context.secrets.derived(for: "forms"))
    }

    /// The hidden field that carries the code.
    static let field = "csrf"

    /// - Parameter name: what the form is for: the interaction, or a page.
    func token(for name: String, in browser: String) -> String {
        Base64URL.encode(authenticator.authenticate(Self.message(name, browser).span))
    }

    /// Whether a browser with one of these secrets got the form from us.
    func isValid(_ token: String, for name: String, in browsers: [String]) -> Bool {
        guard let code = try? Base64URL.decode(token) else { return false }
        var isValid = false
        for browser in browsers {
            isValid = authenticator.isValid(code.span, for: Self.message(name, browser).span) || isValid
        }
        return isValid
    }

    /// The length keeps two pairs of texts from running together into one.
    private static func message(_ name: String, _ browser: String) -> [UInt8] {
        Array("\(name.utf8.count):\(name)\(browser)".utf8)
    }

    /// Refuses a request that another site made the browser send.
    func check(_ request: ServerRequest, as issuer: PreparedIssuer) throws(OAuthError) {
        let fields = request.head.headerFields
        // Fetch Metadata section 2.3. `none`: the user himself, as when he loads a page again.
        if let site = fields[.secFetchSite], site != "same-origin", site != "none" {
            throw OAuthError(.accessDenied, "the form was sent by another site", cause: "Sec-Fetch-Site")
        }
        // RFC 6454 section 7.3. `null` is nobody, and our pages never send it.
        if let origin = fields[.origin], !Self.isOurs(origin, request, issuer) {
            throw OAuthError(.accessDenied, "the form was sent by another site", cause: "Origin")
        }
    }

    /// Under the name by which the browser reached us, or the one that we go by: behind a proxy they differ.
    static func isOurs(_ text: String, _ request: ServerRequest, _ issuer: PreparedIssuer) -> Bool {
        guard let origin = WebOrigin(text) else { return false }
        let reached = (request.peer.isEncrypted ? "https://" : "http://") + (request.head.authority ?? "")
        let identifier = issuer.identifier.dropLast(issuer.identifier.hasSuffix("/") ? 1 : 0)
        let named = String(identifier.dropLast(issuer.issuer.basePath.count))
        return origin == WebOrigin(reached) || origin == WebOrigin(named)
    }
}
