/// How much a form may hold.
package struct FormLimits: Hashable, Sendable {
    package var parameterCount: Int
    /// Bytes as sent, before decoding.
    package var nameByteCount: Int
    /// Bytes as sent, before decoding. Signed assertions are the largest honest values.
    package var valueByteCount: Int

    package init(parameterCount: Int, nameByteCount: Int, valueByteCount: Int) {
        self.parameterCount = parameterCount
        self.nameByteCount = nameByteCount
        self.valueByteCount = valueByteCount
    }

    package static let standard = Self(parameterCount: 64, nameByteCount: 256, valueByteCount: 16_384)
}
