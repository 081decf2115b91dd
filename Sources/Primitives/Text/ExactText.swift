/// Compares texts byte by byte, as protocols do; `==` of `String` also takes canonically equivalent spellings for equal.
///
/// RFC 8259 section 8.3 compares names code unit by code unit, RFC 7519 section 2 compares `StringOrURI` without any
/// transformation, RFC 3986 section 6.2.1 is the comparison of redirect URIs. With `==`, `"\u{212A}id"` (the Kelvin
/// sign) would pass for `"Kid"`.
///
///     sameText(claims.issuer, configuration.issuer)
package func sameText(_ left: String, _ right: String) -> Bool {
    let (left, right) = (left.utf8, right.utf8)
    guard left.count == right.count else { return false }
    let isSame = left.withContiguousStorageIfAvailable { left in
        right.withContiguousStorageIfAvailable { right in
            sameBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
        }
    }
    return (isSame ?? nil) ?? left.elementsEqual(right)
}

/// Eight bytes at a time: this is asked many times in each request, and two iterators cost ten times as much.
private func sameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index + 8 <= left.count {
        guard
            left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        else { return false }
        index += 8
    }
    while index < left.count {
        guard left[index] == right[index] else { return false }
        index += 1
    }
    return true
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
