import IdentityProvider
import OAuth
import Primitives

/// A redirect URI leads where it says, its answer leads there too, and another host never passes for it.
///
/// The input is one URI, or a registered one and a presented one with a line feed between them.
enum RedirectProperties {
    static func check(_ input: Span<UInt8>) {
        let parts = input.array().split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let uris = parts.compactMap { String(validating: $0, as: UTF8.self) }.compactMap(read)
        for uri in uris {
            check(uri)
            for neighbour in BrowserURL(uri.text).neighbours.compactMap(read) {
                check(uri, neighbour)
                check(neighbour, uri)
            }
        }
        guard uris.count == 2 else { return }
        check(uris[0], uris[1])
        check(uris[1], uris[0])
    }

    private static func read(_ text: String) -> RedirectURI? {
        guard let uri = try? RedirectURI(text) else { return nil }
        require(sameText(uri.text, text), "a redirect URI stays as it was written")
        return uri
    }

    private static func check(_ uri: RedirectURI) {
        require(uri.text.utf8.count <= RedirectURI.maximumByteCount, "a redirect URI has an end")
        require(
            uri.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#"#\"<>^`{|}"#.utf8.contains($0) },
            "a redirect URI holds nothing that a browser would change")
        require(uri.matches(uri, ports: .exact) && uri == uri, "a redirect URI is itself")
        let browser = BrowserURL(uri.text)
        require(uri.host == browser.host, "the host is the one to which a browser goes")
        require(uri.host == nil || !browser.hasUserInformation, "nobody is named before the host")
        require((uri.kind == .privateUse) == (uri.host == nil), "what is no app's own has a host")
        require((uri.kind == .https) == (browser.scheme == "https"), "https is https")
        if uri.kind == .loopback {
            require(["127.0.0.1", "[::1]", "localhost"].contains(uri.host), "loopback is this machine")
        }
        if uri.host != nil { require(PageURL(redirect: uri.text) != nil, "a form can be sent to it") }
        require(
            uri.contentSecuritySource.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !",;'\"*".utf8.contains($0) },
            "the source of a content policy is one word")
        checkAnswer(at: uri)
    }

    private static func checkAnswer(at uri: RedirectURI) {
        let parameters = [(name: "code", value: "a b&c=d#e%"), (name: "state", value: "ß+\r\n\"'<")]
        let asQuery = uri.appending(query: parameters)
        require(asQuery.utf8.starts(with: uri.text.utf8), "an answer begins with the redirect URI")
        if asQuery.utf8.count <= RedirectURI.maximumByteCount {
            guard let again = try? RedirectURI(asQuery) else { return require(false, "an answer is a URI again") }
            require(again.host == uri.host && again.kind == uri.kind, "an answer leads to the same host")
        }
        let bytes = Array(asQuery.utf8)
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return require(false, "an answer has a query") }
        let wide = FormLimits(parameterCount: .max, nameByteCount: .max, valueByteCount: .max)
        let query = Array(bytes[(mark + 1)...])
        if let form = try? FormParameters(parsing: query.span, limits: wide) {
            for (name, value) in parameters {
                require(
                    form[values: name].last.map { sameText($0, value) } == true, "an answer says what it was to say")
            }
        }
        let fragment = uri.appending(fragment: parameters).utf8.split(separator: UInt8(ascii: "#"))
        require(fragment.count == 2 && fragment[0].elementsEqual(uri.text.utf8), "a fragment follows the redirect URI")
        let form = try? FormParameters(parsing: Array(fragment[1]).span)
        require(
            form.map { $0.elementsEqual(parameters) { $0.name == $1.name && sameText($0.value, $1.value) } } == true,
            "a fragment says what it was to say and no more")
    }

    private static func check(_ registered: RedirectURI, _ presented: RedirectURI) {
        let isSame = sameText(registered.text, presented.text)
        require((registered == presented) == isSame, "two redirect URIs are equal when their texts are")
        if isSame { require(registered.hashValue == presented.hashValue, "equal redirect URIs have equal hashes") }
        require(registered.matches(presented, ports: .exact) == isSame, "matching is exact")
        let (left, right) = (BrowserURL(registered.text), BrowserURL(presented.text))
        let mayDifferInPort = registered.kind == .loopback && presented.kind == .loopback
        let isMeant = isSame || (mayDifferInPort && left.textWithoutPort == right.textWithoutPort)
        require(registered.matches(presented) == isMeant, "nothing differs but the port of this machine")
        if registered.matches(presented) {
            require(registered.host == presented.host, "another host never passes")
            require(presented.matches(registered), "matching has no direction")
        }
    }
}
