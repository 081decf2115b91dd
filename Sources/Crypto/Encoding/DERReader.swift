/// Reads the distinguished encoding of ASN.1 (X.690), as far as keys need it: one-byte tags, definite lengths in their
/// shortest form. Whatever deviates is refused.
///
/// It borrows the bytes: it must not outlive the closure that lends them.
struct DERReader {
    private var rest: UnsafeRawBufferPointer.SubSequence
    /// What is being read, for the error.
    private let subject: String

    init(_ bytes: UnsafeRawBufferPointer, reading subject: String) {
        rest = bytes[...]
        self.subject = subject
    }

    private init(_ rest: UnsafeRawBufferPointer.SubSequence, reading subject: String) {
        self.rest = rest
        self.subject = subject
    }

    var isAtEnd: Bool { rest.isEmpty }

    func failure(_ fault: String) -> CryptoError { .malformedKey("\(subject): \(fault)") }

    func requireEnd() throws(CryptoError) {
        guard rest.isEmpty else { throw failure("bytes after the end") }
    }

    func isNext(_ tag: DERTag) -> Bool { rest.first == tag.rawValue }

    /// The content of the next element, which must have this tag.
    mutating func content(_ tag: DERTag) throws(CryptoError) -> UnsafeRawBufferPointer {
        guard let found = rest.first else { throw failure("\(tag) is missing") }
        guard found == tag.rawValue else { throw failure("\(tag) expected") }
        rest.removeFirst()
        let length = try length()
        guard length <= rest.count else { throw failure("\(tag) is longer than what is there") }
        let content = UnsafeRawBufferPointer(rebasing: rest.prefix(length))
        rest.removeFirst(length)
        return content
    }

    /// A reader of what is inside the next element.
    mutating func inside(_ tag: DERTag, reading subject: String? = nil) throws(CryptoError) -> DERReader {
        DERReader(try content(tag), reading: subject ?? self.subject)
    }

    /// The magnitude of a number that is not negative, without leading zeros.
    mutating func unsignedInteger() throws(CryptoError) -> UnsafeRawBufferPointer {
        let content = try content(.integer)
        guard let first = content.first else { throw failure("a number without digits") }
        guard first < 0x80 else { throw failure("a negative number") }
        guard content.count > 1, first == 0 else {
            return first == 0 ? UnsafeRawBufferPointer(rebasing: content.dropFirst()) : content
        }
        guard content[1] >= 0x80 else { throw failure("a number with needless zeros") }
        return UnsafeRawBufferPointer(rebasing: content.dropFirst())
    }

    /// A number that says which version of a structure follows.
    mutating func version() throws(CryptoError) -> Int {
        let magnitude = try unsignedInteger()
        guard magnitude.count <= 1 else { throw failure("an unknown version") }
        return Int(magnitude.first ?? 0)
    }

    /// A bit string of whole bytes.
    mutating func bitString(_ tag: DERTag = .bitString) throws(CryptoError) -> UnsafeRawBufferPointer {
        let content = try content(tag)
        guard content.first == 0 else { throw failure("a bit string that is not whole bytes") }
        return UnsafeRawBufferPointer(rebasing: content.dropFirst())
    }

    private mutating func length() throws(CryptoError) -> Int {
        guard let first = rest.popFirst() else { throw failure("a length is missing") }
        guard first >= 0x80 else { return Int(first) }
        let count = Int(first & 0x7F)
        // A key of the largest size fits into lengths of two bytes.
        guard (1...3).contains(count), count <= rest.count else { throw failure("a length is malformed") }
        var length = 0
        for _ in 0..<count { length = length << 8 | Int(rest.removeFirst()) }
        let isShortest = length >= 0x80 && length >> (8 * (count - 1)) != 0
        guard isShortest else { throw failure("a length is not in shortest form") }
        return length
    }
}
