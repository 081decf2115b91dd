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

    private static func encode(_ text: String, _ space: StaticString, into bytes: inout [UInt8]) {
        let digits: StaticString = "0123456789ABCDEF"
        for byte in text.utf8 {
            if URICharacters.isUnreserved(byte) {
                bytes.append(byte)
            } else if byte == 0x20 {
                bytes.append(contentsOf: UnsafeBufferPointer(start: space.utf8Start, count: space.utf8CodeUnitCount))
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits.utf8Start[Int(byte >> 4)])
                bytes.append(digits.utf8Start[Int(byte & 15)])
            }
        }
    }
}
