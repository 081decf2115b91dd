import Primitives

/// The URL that a request was sent to, as two sides compare it: RFC 9449 section 4.3 wants `htu` compared without query and
/// fragment, after the normalisations of RFC 3986 sections 6.2.2 and 6.2.3.
///
///     TargetURL("HTTPS://ID.example:443/%74oken?x#y") == TargetURL("https://id.example/token")      // true
package struct TargetURL: Sendable {
    /// `http` or `https`.
    package let scheme: String
    /// In lower case, with the port unless it goes without saying.
    package let authority: String
    /// Without what names one thing in two ways: percent-encoding where none is needed, segments of dots.
    package let path: String
    /// Path and query as they stood in the text.
    package let pathAndQuery: String

    /// `nil` unless the text is an http or https URL with a plain host and port.
    package init?(_ text: String) {
        // What a fragment says concerns nobody but whoever follows the link.
        let withoutFragment = text.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
        guard let uri = try? AbsoluteURI(withoutFragment, maximumByteCount: Self.maximumByteCount),
            let authority = uri.authority.flatMap({ Authority(String($0)) })
        else { return nil }
        scheme = uri.scheme.lowercased()
        guard scheme == "https" || scheme == "http" else { return nil }
        self.authority = authority.text(defaultPort: scheme == "https" ? 443 : 80)
        path = Self.normalised(uri.path)
        pathAndQuery = (uri.path.isEmpty ? "/" : String(uri.path)) + (uri.query.map { "?" + $0 } ?? "")
    }

    package static let maximumByteCount = 2048

    /// RFC 3986 section 6.2.3: with an authority, an empty path is a slash.
    private static func normalised(_ path: Substring) -> String {
        let decoded = withoutNeedlessEncoding(path)
        var segments: [Substring] = []
        let parts = decoded.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch segment {
            case ".":
                if isLast { segments.append("") }
            case "..":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default:
                segments.append(segment)
            }
        }
        return "/" + segments.joined(separator: "/")
    }

    /// RFC 3986 sections 6.2.2.1 and 6.2.2.2: unreserved characters stand for themselves, and the digits of what stays
    /// encoded are capitals.
    private static func withoutNeedlessEncoding(_ path: Substring) -> String {
        guard path.utf8.contains(UInt8(ascii: "%")) else { return String(path) }
        let hexadecimal = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        var rest = path.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let high = rest.popFirst()?.hexDigitValue,
                let low = rest.popFirst()?.hexDigitValue
            else {
                bytes.append(byte)
                continue
            }
            let decoded = high << 4 | low
            if URICharacters.isUnreserved(decoded) {
                bytes.append(decoded)
            } else {
                bytes += [UInt8(ascii: "%"), hexadecimal[Int(high)], hexadecimal[Int(low)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension TargetURL: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        sameText(left.scheme, right.scheme) && sameText(left.authority, right.authority)
            && sameText(left.path, right.path)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(authority)
        hasher.combine(path)
    }
}

extension TargetURL: CustomStringConvertible {
    package var description: String { "\(scheme)://\(authority)\(path)" }
}
