import Primitives

/// The parts of a URI with a scheme and without a fragment: `absolute-URI` of RFC 3986 section 4.3.
///
/// The text stays as it is; nothing is decoded and nothing made normal, because it is compared and sent byte by byte.
struct AbsoluteURI: Sendable {
    let text: String
    /// As written; schemes have no case.
    let scheme: Substring
    /// What stands between `//` and the path, where there is one.
    let authority: Substring?
    let path: Substring
    let query: Substring?

    init(_ text: String, maximumByteCount: Int) throws(URIError) {
        guard text.utf8.count <= maximumByteCount else { throw .tooLong(limit: maximumByteCount) }
        self.text = text
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { throw .relative }
        scheme = text[..<colon]
        guard let first = bytes.first, URICharacters.isLetter(first),
            scheme.utf8.allSatisfy(URICharacters.isSchemeByte)
        else { throw .relative }

        var rest = text[bytes.index(after: colon)...]
        guard !rest.utf8.contains(UInt8(ascii: "#")) else { throw .hasFragment }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.utf8.index(after: mark)...]
            rest = rest[..<mark]
        } else {
            query = nil
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = rest[..<end]
            path = rest[end...]
        } else {
            authority = nil
            path = rest
        }
        try Self.check(path, allowing: "/")
        if let query { try Self.check(query, allowing: "/?") }
        if let authority { try Self.check(authority, allowing: "[]") }
    }

    /// Segment characters and percent-encoded bytes; no control character, space, quote, backslash, nor anything
    /// outside ASCII.
    private static func check(_ part: Substring, allowing more: String) throws(URIError) {
        var bytes = part.utf8.makeIterator()
        while let byte = bytes.next() {
            if byte == UInt8(ascii: "%") {
                guard bytes.next()?.hexDigitValue != nil, bytes.next()?.hexDigitValue != nil else {
                    throw .badPercentEncoding
                }
            } else {
                guard URICharacters.isSegmentByte(byte) || more.utf8.contains(byte) else { throw .forbiddenCharacter }
            }
        }
    }

    /// Whether a segment of the path is `.` or `..` in any spelling. Browsers take these away (and read `%2e` as a
    /// dot), so that the URI which is fetched is not the one that was compared.
    var hasDotSegment: Bool {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true).contains { segment in
            var dots = 0
            var rest = Substring(segment).utf8
            while let byte = rest.first {
                if byte == UInt8(ascii: ".") {
                    rest = rest.dropFirst()
                } else if rest.prefix(3).elementsEqual("%2e".utf8) || rest.prefix(3).elementsEqual("%2E".utf8) {
                    rest = rest.dropFirst(3)
                } else {
                    return false
                }
                dots += 1
            }
            return dots <= 2
        }
    }
}
