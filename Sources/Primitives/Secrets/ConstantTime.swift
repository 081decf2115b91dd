/// Whether the bytes are the same, in time that depends on their lengths only.
package func constantTimeEquals(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in 0..<left.count { difference |= left[index] ^ right[index] }
    return isZero(difference)
}

/// Whether the bytes are the same, in time that depends on their lengths only.
package func constantTimeEquals(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { right in constantTimeEquals(left, right) } }
}

/// Whether the texts are the same to the byte, in time that depends on their lengths only.
package func constantTimeEquals(_ left: String, _ right: String) -> Bool {
    left.withUTF8Span { left in right.withUTF8Span { right in constantTimeEquals(left, right) } }
}

// Out of line, so that the optimiser cannot turn the loop above into one that stops at the first difference.
@inline(never)
private func isZero(_ byte: UInt8) -> Bool { byte == 0 }
