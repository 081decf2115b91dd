import Primitives

/// A name of X.500 as RFC 4514 writes it: `CN=service,O=Example\, Ltd.,C=KR`. Two are the same when they say the same in the
/// same order, however they are escaped.
///
/// They are compared as directories do it (RFC 5280 section 7.1, RFC 4517 section 4.2.11): types have no case, and may be
/// written as numbers; nor have the values of the usual attributes, in which spaces around words do not count either. Of what
/// it prepares texts with, the normal forms of Unicode are left out: a value counts as it was encoded. Values of other
/// attributes are compared byte by byte.
struct DistinguishedName: Hashable, Sendable {
    private struct Attribute: Hashable {
        /// In lower case, and a name where the type has one.
        let type: String
        let value: [UInt8]

        init(type: String, value: [UInt8]) {
            let known = DistinguishedNameAttribute(type)
            self.type = known?.rawValue ?? type.lowercased()
            self.value = known == nil ? value : Self.prepared(value)
        }

        /// RFC 4518 sections 2.2 and 2.6.1: without case, without spaces around, and one between two words. What is no text is
        /// compared as it is.
        private static func prepared(_ value: [UInt8]) -> [UInt8] {
            guard let text = String(validating: value, as: UTF8.self) else { return value }
            return Array(text.lowercased().utf8.split(separator: 0x20).joined(separator: [0x20]))
        }
    }

    /// From the most to the least specific; each has one attribute, or several in no order.
    private let parts: [Set<Attribute>]

    var isEmpty: Bool { parts.isEmpty }

    /// `nil` for what is not of the grammar of RFC 4514 section 3. Spaces around separators are let through, as its
    /// appendix allows for what people write.
    init?(_ text: String) {
        var reader = Reader(rest: Array(text.utf8)[...])
        var parts: [Set<Attribute>] = []
        while !reader.rest.isEmpty {
            var part: Set<Attribute> = []
            repeat {
                guard let attribute = reader.attribute(), part.insert(attribute).inserted else { return nil }
            } while reader.skip(UInt8(ascii: "+"))
            parts.append(part)
            guard reader.rest.isEmpty || (reader.skip(UInt8(ascii: ",")) && !reader.rest.isEmpty) else { return nil }
        }
        self.parts = parts
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func skip(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func skipSpaces() { rest = rest.drop { $0 == 0x20 } }

        mutating func attribute() -> Attribute? {
            skipSpaces()
            let type = rest.prefix { byte in
                byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte.isASCIIDigit
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            }
            rest = rest[type.endIndex...]
            skipSpaces()
            guard !type.isEmpty, skip(UInt8(ascii: "=")), let value = value() else { return nil }
            return Attribute(type: String(decoding: type, as: UTF8.self), value: value)
        }

        /// Up to the next separator; trailing spaces count only where they are escaped. A value by its encoding
        /// (`#04…`) is compared as it is written.
        private mutating func value() -> [UInt8]? {
            skipSpaces()
            var value: [UInt8] = []
            var length = 0
            while let byte = rest.first, byte != UInt8(ascii: ","), byte != UInt8(ascii: "+") {
                rest.removeFirst()
                if byte == UInt8(ascii: "\\") {
                    guard let escaped = escaped() else { return nil }
                    value.append(escaped)
                    length = value.count
                } else {
                    guard !"\";<>".utf8.contains(byte), byte != 0 else { return nil }
                    value.append(byte)
                    if byte != 0x20 { length = value.count }
                }
            }
            return Array(value.prefix(length))
        }

        /// RFC 4514 section 3: two hexadecimal digits, or a character that is special.
        private mutating func escaped() -> UInt8? {
            guard let first = rest.popFirst() else { return nil }
            if let high = first.hexDigitValue {
                guard let low = rest.popFirst()?.hexDigitValue else { return nil }
                return high << 4 | low
            }
            return " \"#+,;<=>\\".utf8.contains(first) ? first : nil
        }
    }
}
