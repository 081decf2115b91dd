extension FormText {
    /// Pairs as `application/x-www-form-urlencoded`. Everything but the unreserved characters of RFC 3986 is
    /// percent-encoded, so that the text is safe in a query, a fragment and a body alike.
    static func encode(_ pairs: some Sequence<(name: String, value: String)>, space: StaticString) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(usualByteCount)
        for (name, value) in pairs {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            encode(name, space, into: &bytes)
            bytes.append(UInt8(ascii: "="))
            encode(value, space, into: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Room for what most answers say.
    private static let usualByteCount = 256

    /// In runs of what stands for itself, which most texts are one of.
    private static func encode(_ text: String, _ space: StaticString, into bytes: inout [UInt8]) {
        let digits: StaticString = "0123456789ABCDEF"
        var text = text
        text.withUTF8 { text in
            var index = 0
            while index < text.count {
                let run = index
                while index < text.count, URICharacters.isUnreserved(text[index]) { index += 1 }
                if index > run { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<index])) }
                guard index < text.count else { return }
                let byte = text[index]
                index += 1
                if byte == 0x20 {
                    bytes.append(
                        contentsOf: UnsafeBufferPointer(start: space.utf8Start, count: space.utf8CodeUnitCount))
                } else {
                    bytes.append(UInt8(ascii: "%"))
                    bytes.append(digits.utf8Start[Int(byte >> 4)])
                    bytes.append(digits.utf8Start[Int(byte & 15)])
                }
            }
        }
    }
}
