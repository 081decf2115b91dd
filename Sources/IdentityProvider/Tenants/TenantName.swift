/// Names a tenant: part of its URLs, so made of what needs no encoding.
package struct TenantName: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package static let maximumByteCount = 64

    /// What a name is made of, for whoever got one wrong.
    package static let rule = "1 to \(maximumByteCount) letters, digits, '-', '_' and '.', and not '.' or '..'"

    /// Letters, digits, `-`, `_` and `.`; not `.` or `..`, which paths give another meaning.
    package init?(_ text: some StringProtocol) {
        guard (1...Self.maximumByteCount).contains(text.utf8.count), text != ".", text != "..",
            text.utf8.allSatisfy({ byte in
                (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
                    || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || "-_.".utf8.contains(byte)
            })
        else { return nil }
        self.text = String(text)
    }

    package var description: String { text }

    /// The path below the issuer of the provider itself.
    package var path: String { "/t/\(text)" }
}
