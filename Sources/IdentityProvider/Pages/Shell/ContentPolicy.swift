import Crypto
import Primitives

/// What a page may do (CSP Level 3): nothing but what is named here.
package struct ContentPolicy: Hashable, Sendable {
    /// Where forms may be sent, and where what they are sent to may redirect: Chromium holds `form-action` against
    /// every redirect that follows a submission. `nil`: the page has no form.
    package var formTargets: [ContentSource]?
    /// What may be framed.
    package var frames: [ContentSource] = []
    /// Whether the page's own script may run.
    package var allowsScript = false

    package init(formTargets: [ContentSource]? = nil, frames: [ContentSource] = [], allowsScript: Bool = false) {
        self.formTargets = formTargets
        self.frames = frames
        self.allowsScript = allowsScript
    }

    /// The value of `Content-Security-Policy`.
    package var text: String {
        var directives = ["default-src 'none'", "style-src '\(PageStyle.hash)'", "img-src 'self' data:"]
        if allowsScript { directives.append("script-src '\(PageScript.hash)'") }
        if !frames.isEmpty { directives.append("frame-src " + Self.list(frames)) }
        directives.append("form-action " + (formTargets.map { Self.list($0, after: ["'self'"]) } ?? "'none'"))
        directives += ["frame-ancestors 'none'", "base-uri 'none'"]
        return directives.joined(separator: "; ")
    }

    private static func list(_ sources: [ContentSource], after first: [String] = []) -> String {
        var words = first
        for source in sources where !words.contains(where: { sameText($0, source.text) }) { words.append(source.text) }
        return words.joined(separator: " ")
    }

    /// CSP Level 3 section 2.3.1: the hash of an inline style or script, which allows it and no other.
    static func hash(of text: StaticString) -> String {
        let digest = text.withUTF8Buffer { HashFunction.sha256.digest(Array($0).span) }
        return "sha256-" + Base64.encode(digest)
    }
}
