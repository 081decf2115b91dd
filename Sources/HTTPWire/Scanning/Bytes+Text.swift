extension String {
    /// From bytes already found to be ASCII.
    @inline(__always)
    init(ascii bytes: UnsafeBufferPointer<UInt8>) {
        self = String(decoding: bytes, as: UTF8.self)
    }

    /// From the bytes of a field value: UTF-8 where it is, else ISO 8859-1, in which every byte is a character.
    @inline(__always)
    init(fieldValue bytes: UnsafeBufferPointer<UInt8>) {
        self = bytes.isASCII ? String(ascii: bytes) : String(beyondASCII: bytes)
    }

    @inline(never)
    private init(beyondASCII bytes: UnsafeBufferPointer<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = text
        } else {
            self = String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    @inline(__always)
    var isASCII: Bool {
        var seen: UInt8 = 0
        for byte in self { seen |= byte }
        return seen < 0x80
    }

    /// Whether these bytes are the text, capitals and small letters being the same.
    /// - Parameter text: in small letters.
    @inline(__always)
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && hasPrefix(text)
    }

    /// Whether these bytes begin with the text, capitals and small letters being the same.
    /// - Parameter text: in small letters.
    @inline(__always)
    func hasPrefix(_ text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where self[index].lowercased != text.utf8Start[index] { return false }
        return true
    }

    @inline(__always)
    subscript(part range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[range])
    }
}
