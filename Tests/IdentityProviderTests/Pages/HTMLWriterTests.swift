import IdentityProvider
import Testing

@Suite struct HTMLWriterTests {
    private func html(_ write: (inout HTMLWriter) -> Void) -> String {
        var writer = HTMLWriter()
        write(&writer)
        return String(decoding: writer.takeBytes(), as: UTF8.self)
    }

    @Test func textsCannotBecomeMarkup() {
        #expect(html { $0.element("p", "</p><script>\"'&") } == "<p>&lt;/p&gt;&lt;script&gt;&quot;&#39;&amp;</p>")
    }

    @Test func valuesCannotLeaveTheirQuotes() {
        let written = html { $0.void("input", [.value("\" autofocus onfocus=\"x()"), nil, .required]) }
        #expect(written == "<input value=\"&quot; autofocus onfocus=&quot;x()\" required>")
    }

    /// A parser drops the first and turns the second into a line feed.
    @Test func keepsWhatAParserWouldChange() {
        #expect(html { $0.void("input", [.value("a\0b\r\n")]) } == "<input value=\"a\u{FFFD}b&#13;\n\">")
    }

    @Test(arguments: ["\u{202E}", "\u{2066}", "\u{200B}", "\u{7}", "\u{1B}", "\u{E0041}", "\u{FEFF}", "\r"])
    func showsWhatWouldActOnTheDisplay(_ character: String) throws {
        let value = try #require(character.unicodeScalars.first).value
        let written = html { $0.foreign("a" + character + "b") }
        #expect(written == "<bdi>a\\u{\(String(value, radix: 16, uppercase: true))}b</bdi>")
    }

    @Test func setsForeignTextsApart() {
        #expect(html { $0.foreign("أهلا") } == "<bdi>أهلا</bdi>")
    }

    @Test func cutsWhatWouldPushTheRestOutOfSight() {
        #expect(html { $0.foreign(String(repeating: "a", count: 201)) }.count == 200 + 1 + "<bdi></bdi>".count)
        #expect(html { $0.foreign(String(repeating: "a", count: 200)) }.count == 200 + "<bdi></bdi>".count)
    }

    @Test func cutsMarksPiledOnMarks() {
        let tower = "a" + String(repeating: "\u{0301}", count: 10_000)
        #expect(html { $0.foreign(tower) }.unicodeScalars.count < 1000)
    }

    @Test(arguments: [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "blob:https://a/b", "file:///x",
        "//evil.example/", "/\\evil.example", "\\\\evil.example", "https:evil.example", "https://", "https:///x",
        "https://@evil.example", "http://:80/", "", "relative", "?query", "#fragment", " https://a.example",
        "https://a.example/\n", "java\tscript:x", "https://a.example/\"onclick=", "https://ä.example/", "app:/callback",
        "mailto:a@b.example", "http//a", ":",
    ])
    func refusesAnAddressThatIsNeitherOfTheWebNorAPathOfOurs(_ text: String) {
        #expect(PageURL(text) == nil)
    }

    @Test(arguments: [
        "https://a.example/x?y=1&z=%20#f", "http://127.0.0.1:3000/", "http://[::1]:80/", "/login?a=b", "/",
    ])
    func takesAddressesOfTheWebAndPathsOfOurs(_ text: String) {
        #expect(PageURL(text)?.text == text)
    }

    @Test(arguments: [
        "javascript:alert(1)", "DATA:text/html,x", "blob:x", "intent://x", "view-source:https://a", "/path", "//a/b",
        "https:/a", "com.example.app:/a b", "1app:/x", "",
    ])
    func refusesARedirectThatTheBrowserItselfWouldAnswer(_ text: String) {
        #expect(PageURL(redirect: text) == nil)
    }

    @Test(arguments: ["com.example.app:/callback", "myapp://callback", "https://a.example/cb", "http://localhost/cb"])
    func takesRedirectsToApps(_ text: String) {
        #expect(PageURL(redirect: text)?.text == text)
    }
}
