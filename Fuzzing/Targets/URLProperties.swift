import OAuth
import Primitives

/// A URL in its normal form stays as it is, and what names another host is never the same URL.
enum URLProperties {
    static func check(_ input: Span<UInt8>) {
        guard let text = String(validating: input.array(), as: UTF8.self) else { return }
        if let url = TargetURL(text) { check(url, text) }
        if let issuer = try? Issuer(text) { check(issuer, text) }
        if let resource = try? ResourceIndicator(text) {
            require(sameText(resource.text, text), "a resource stays as it was written")
            require(resource.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }, "a plain URI")
        }
    }

    private static func check(_ url: TargetURL, _ text: String) {
        guard let again = TargetURL(url.description) else { return require(false, "the normal form is a URL") }
        require(again == url && again.hashValue == url.hashValue, "a URL is its normal form")
        require(sameText(again.description, url.description), "the normal form is normal")
        let bytes = Array(text.utf8)
        if !bytes.contains(UInt8(ascii: "#")) { require(TargetURL(text + "#x") == url, "fragments do not count") }
        if !bytes.contains(where: { "?#".utf8.contains($0) }), bytes.count < TargetURL.maximumByteCount - 2 {
            require(TargetURL(text + "?x") == url, "queries do not count")
        }
        let sent = "\(url.scheme)://\(url.authority)\(url.pathAndQuery)"
        if sent.utf8.count <= TargetURL.maximumByteCount {
            require(TargetURL(sent) == url, "what is sent to is what was named")
        }
        checkPath(of: url)
        checkHost(of: url, text)
    }

    private static func checkPath(of url: TargetURL) {
        require(url.path.utf8.first == UInt8(ascii: "/"), "a path begins with a slash")
        require(url.pathAndQuery.utf8.first == UInt8(ascii: "/"), "a path begins with a slash, as it was written")
        let segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
        require(!segments.contains(".") && !segments.contains(".."), "the normal form has no segments of dots")
        let origin = "\(url.scheme)://\(url.authority)"
        if url.path.utf8.count < TargetURL.maximumByteCount / 4 {
            for detour in ["/x/..", "/%2e", "/./x/%2E."] {
                require(TargetURL(origin + detour + url.path) == url, "a detour leads to the same place")
            }
            let spelled = url.path.replacing("a", with: "%61").replacing("~", with: "%7e")
            require(TargetURL(origin + spelled) == url, "a needless encoding says the same")
        }
        require(!url.pathAndQuery.utf8.contains { $0 <= 0x20 || $0 >= 0x7F }, "a request line stays one line")
    }

    private static func checkHost(of url: TargetURL, _ text: String) {
        let browser = BrowserURL(text)
        require(browser.scheme == url.scheme, "the scheme is the one of the text")
        require(!browser.hasUserInformation, "nobody is named before the host")
        require(
            url.authority == browser.host || url.authority.hasPrefix((browser.host ?? "") + ":"),
            "the host is the one to which a browser goes")
        guard let other = TargetURL("\(url.scheme)://x\(url.authority)\(url.path)") else { return }
        require(other != url, "another host is another URL")
    }

    private static func check(_ issuer: Issuer, _ text: String) {
        require(sameText(issuer.identifier, text), "an issuer stays as it was written")
        require(issuer.basePath.utf8.last != UInt8(ascii: "/"), "endpoints begin behind the path")
        let token = issuer.url(of: "/token")
        if token.utf8.count <= TargetURL.maximumByteCount {
            guard let url = TargetURL(token) else { return require(false, "an endpoint has a URL") }
            require(url.path.hasSuffix(issuer.basePath + "/token"), "an endpoint lies below its issuer")
            require(url.authority == TargetURL(text)?.authority, "an endpoint is where its issuer is")
        }
        for path in issuer.metadataPaths { require(path.utf8.first == UInt8(ascii: "/"), "metadata have a path") }
        let below = issuer.below("/t/x")
        require((try? Issuer(below.identifier)) == below, "what lies below an issuer is one")
    }
}
