import Primitives

/// An address that may stand in a page. A scheme that a browser runs (`javascript:`) or that carries its content with it
/// (`data:`) never gets here, whoever registered it.
package struct PageURL: Hashable, Sendable {
    package let text: String

    /// An `http` or `https` URL with a host, or a path of ours. `nil` for anything else.
    package init?(_ text: String) {
        guard Self.holdsOnlyCharactersOfURIs(text) else { return nil }
        guard Self.isPath(text) || Self.isWeb(text) else { return nil }
        self.text = text
    }

    /// Where a client wants its user back: also a scheme of an app (RFC 8252 section 7.1). It must be registered; this
    /// checks only that the browser itself does nothing with it but hand it on.
    package init?(redirect text: String) {
        guard Self.holdsOnlyCharactersOfURIs(text), let scheme = Self.scheme(of: text) else { return nil }
        guard ["http", "https"].contains(scheme) ? Self.isWeb(text) : !Self.browserSchemes.contains(scheme) else {
            return nil
        }
        self.text = text
    }

    /// A path that stands in the source of this program.
    package init(path: StaticString) {
        text = "\(path)"
        precondition(Self.isPath(text))
    }

    /// In lower case; `nil` for a path.
    var scheme: String? { Self.scheme(of: text) }
}

extension PageURL {
    /// What a browser runs, shows or opens by itself. RFC 8252 section 7.1 has apps use names of domains turned round,
    /// of which none is here.
    private static let browserSchemes: Set<String> = [
        "about", "blob", "chrome", "chrome-extension", "data", "devtools", "edge", "feed", "file", "filesystem", "ftp",
        "intent", "jar", "javascript", "livescript", "mocha", "moz-extension", "resource", "vbscript", "view-source",
        "ws", "wss",
    ]

    /// One slash: two, or a backslash, which browsers take for a slash, would begin the name of another host.
    private static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && !text.hasPrefix("//")
    }

    private static func isWeb(_ text: String) -> Bool {
        guard let scheme = scheme(of: text), ["http", "https"].contains(scheme) else { return false }
        let rest = text.utf8.dropFirst(scheme.utf8.count + 1)
        guard rest.starts(with: "//".utf8), let first = rest.dropFirst(2).first else { return false }
        return !"/?#:@".utf8.contains(first)
    }

    /// RFC 3986 section 3.1.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text.utf8[..<colon]
        let others = "+-.".utf8
        guard let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || $0.isASCIIDigit || others.contains($0) })
        else { return nil }
        return String(decoding: scheme, as: UTF8.self).lowercased()
    }

    /// RFC 3986 section 2, and the brackets of IPv6: no white space, control, quote or backslash, nothing beyond ASCII.
    private static func holdsOnlyCharactersOfURIs(_ text: String) -> Bool {
        let others = "-._~:/?#[]@!$&'()*+,;=%".utf8
        return text.utf8.allSatisfy { isLetter($0) || $0.isASCIIDigit || others.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
}
