import Primitives

extension FormText {
    /// Pairs as `application/x-www-form-urlencoded`. Everything but the unreserved characters of RFC 3986 is
    /// percent-encoded, so that the text is safe in a query, a fragment and a body alike.
    static func encode(_ pairs: some Sequence<(name: String, value: String)>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(usualByteCount)
        append(pairs, space: "+", to: &bytes)
        return String(knownASCII: bytes.span)
    }

    /// Appends the same to what is there, with another text for a space.
    static func append(
        _ pairs: some Sequence<(name: String, value: String)>, space: StaticString, to bytes: inout [UInt8]
    ) {
        var isFirst = true
        for (name, value) in pairs {
            if !isFirst { bytes.append(UInt8(ascii: "&")) }
            isFirst = false
            encode(name, space, into: &bytes)
            bytes.append(UInt8(ascii: "="))
            encode(value, space, into: &bytes)
        }
    }

    /// Room for what most answers say.
    private static let usualByteCount = 256

    /// In runs of what stands for itself, which most texts are one of.
    private static func encode(_ text: String, _ space: StaticString, into bytes: inout [UInt8]) {
        let digits: StaticString = "0123456789ABCDEF"
        text.withUTF8Span { text in
            var index = 0
            while index < text.count {
                let run = index
                while index < text.count, URICharacters.isUnreserved(text[index]) { index += 1 }
                if index > run { bytes.append(text.extracting(run..<index)) }
                guard index < text.count else { return }
                let byte = text[index]
                index += 1
                if byte == 0x20 {
                    bytes.append(space)
                } else {
                    bytes.append(UInt8(ascii: "%"))
                    bytes.append(digits.utf8Start[Int(byte >> 4)])
                    bytes.append(digits.utf8Start[Int(byte & 15)])
                }
            }
        }
    }
}
