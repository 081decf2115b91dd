import Crypto
import IdentityProvider
import Primitives
import Testing

@Suite struct ContentPolicyTests {
    @Test(arguments: [
        ("https://app.example/cb?x=1", "https://app.example"),
        ("https://APP.example:8443/", "https://app.example:8443"),
        ("https://app.example:443/", "https://app.example"), ("http://127.0.0.1:5123/cb", "http://127.0.0.1:*"),
        ("http://localhost:3000/cb", "http://localhost:*"), ("http://localhost/cb", "http://localhost:*"),
        ("com.example.app:/cb", "com.example.app:"), ("myapp://cb", "myapp:"), ("http://[::1]:5000/cb", "http:"),
        ("http://192.168.1.5/cb", "http:"), ("https://under_score.example/", "https:"),
        ("https://user@app.example/", "https:"), ("http://127.0.0.2/", "http:"),
    ])
    func allowsTheOriginOrWhereThePolicyHasNoWordForItTheScheme(_ url: String, _ source: String) throws {
        let url = try #require(PageURL(redirect: url))
        #expect(ContentSource(url)?.text == source)
    }

    @Test func aPathOfOursNeedsNoSource() {
        #expect(ContentSource(PageURL(path: "/login")) == nil)
    }

    @Test(arguments: [
        ("https://a.example/cb", " https: http: https://a.example"),
        ("com.example.app:/cb", " https: http: com.example.app:"), ("nonsense", " https: http:"),
    ])
    func aFormThatLeadsToAClientMayLeadToWhereverThatSendsItsUsersOn(_ url: String, _ sources: String) {
        let text = ContentPolicy(formTargets: ContentSource.leading(to: PageURL(redirect: url))).text
        #expect(text.contains("form-action 'self'\(sources); "))
    }

    /// An address ends up in a header field, where a semicolon begins another directive.
    @Test(arguments: [
        "https://a.example;script-src/cb", "https://a.example,*/cb", "https://a.example'*'/", "https://a.example*/",
        "https://*/", "https://*.example/",
    ])
    func anAddressCannotAddToThePolicy(_ text: String) throws {
        guard let url = PageURL(redirect: text), let source = ContentSource(url) else { return }
        #expect(source.text == "https:")
    }

    @Test func allowsNothingThatIsNotNamed() {
        let text = ContentPolicy().text
        #expect(text.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(text.hasSuffix("; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"))
        for word in ["script-src", "frame-src", "unsafe", "*"] { #expect(!text.contains(word)) }
    }

    @Test func namesEachTargetOnce() throws {
        let source = try #require(PageURL("https://a.example/").flatMap(ContentSource.init))
        let text = ContentPolicy(formTargets: [source, source], frames: [source, source]).text
        #expect(text.contains("form-action 'self' https://a.example; "))
        #expect(text.contains("frame-src https://a.example; "))
    }

    /// The hash is of what stands between the tags, byte for byte.
    @Test func theStyleAndTheScriptAreTheOnesThatAreAllowed() throws {
        let page = FormPostPage(
            action: try #require(PageURL("https://a.example/")), parameters: [], clientName: "A")
        let html = String(decoding: page.bytes(PageSetting(language: .english)), as: UTF8.self)
        for tag in ["style", "script"] {
            let start = try #require(html.firstRange(of: "<\(tag)>")).upperBound
            let end = try #require(html[start...].firstRange(of: "</\(tag)>")).lowerBound
            let digest = HashFunction.sha256.digest(Array(html[start..<end].utf8).span)
            #expect(page.policy.text.contains("\(tag)-src 'sha256-\(Base64.encode(digest))'"))
        }
    }
}
