import Primitives

/// What a text in a configuration file must look like.
struct ConfigurationText: Sendable {
    /// Completes "must be": `a text that is not empty`.
    let expectation: String
    /// UTF-8 bytes.
    let byteCount: ClosedRange<Int>
    /// The same as ``accepts`` in the words of JSON Schema, as far as a pattern can say it.
    var pattern: String?
    var accepts: @Sendable (String) -> Bool = { _ in true }

    func fits(_ text: String) -> Bool { byteCount.contains(text.utf8.count) && accepts(text) }

    static let maximumByteCount = 2048

    static let plain = ConfigurationText(expectation: "a text that is not empty", byteCount: 1...maximumByteCount)

    /// RFC 6749 sections A.1 and A.2.
    static let identifier = ConfigurationText(
        expectation: "printable ASCII and not empty", byteCount: 1...maximumByteCount, pattern: #"^[\x20-\x7e]+$"#
    ) { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    static let tenantName = ConfigurationText(
        expectation: TenantName.rule,
        byteCount: 1...TenantName.maximumByteCount, pattern: #"^(?!\.{1,2}$)[A-Za-z0-9._-]+$"#
    ) { TenantName($0) != nil }

    static let username = ConfigurationText(
        expectation: "a text of 1 to \(User.maximumNameByteCount) bytes", byteCount: 1...User.maximumNameByteCount)

    static let subject = ConfigurationText(
        expectation: "1 to \(User.maximumNameByteCount) characters of printable ASCII",
        byteCount: 1...User.maximumNameByteCount, pattern: #"^[\x20-\x7e]+$"#
    ) { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    /// A profile, and the knobs that are turned. What is wrong with one is told when it is read.
    static let rotation = ConfigurationText(
        expectation: "a rotation policy such as \"okta\" or \"okta,window=5s\"",
        byteCount: 1...RotationPolicy.maximumTextByteCount,
        pattern: "^ *(\(RotationPolicy.profileNames.joined(separator: "|"))) *(, *[a-z-]+ *=[^,]*)*$")

    static let variable = ConfigurationText(
        expectation: "the name of a variable: letters, digits and '_', no digit first", byteCount: 1...255,
        pattern: "^[A-Za-z_][A-Za-z0-9_]*$"
    ) { text in
        text.utf8.first?.isASCIIDigit == false
            && text.utf8.allSatisfy {
                $0.isASCIIDigit || $0 == UInt8(ascii: "_")
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
            }
    }

    /// `1h30m`; whole seconds, the greater unit first.
    static let duration = ConfigurationText(
        expectation: "a duration", byteCount: 1...64,
        pattern: "^(?=[0-9])(?=.*[1-9])([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?$"
    ) { text in !text.utf8.reversed().starts(with: "sm".utf8) && ConfigurationShape.duration(of: .string(text)) != nil }
}
