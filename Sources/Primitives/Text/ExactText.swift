/// Compares texts byte by byte, as protocols do; `==` of `String` also takes canonically equivalent spellings for equal.
///
/// RFC 8259 section 8.3 compares names code unit by code unit, RFC 7519 section 2 compares `StringOrURI` without any
/// transformation, RFC 3986 section 6.2.1 is the comparison of redirect URIs. With `==`, `"\u{212A}id"` (the Kelvin
/// sign) would pass for `"Kid"`.
///
///     sameText(claims.issuer, configuration.issuer)
package func sameText(_ left: String, _ right: String) -> Bool {
    let left = left.utf8
    let right = right.utf8
    return left.count == right.count && left.elementsEqual(right)
}

/// A text as a dictionary key that is the same only when its bytes are the same.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        sameText(left.text, right.text)
    }

    // Same bytes, same hash: that of `String` is coarser, never finer.
    package func hash(into hasher: inout Hasher) {
        text.hash(into: &hasher)
    }
}
