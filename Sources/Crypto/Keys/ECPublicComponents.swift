/// A point of a curve, each coordinate exactly as long as the field, most significant byte first (RFC 7518 section
/// 6.2.1).
package struct ECPublicComponents: Sendable, Hashable {
    package var curve: Curve
    package var x: [UInt8]
    package var y: [UInt8]

    package init(curve: Curve, x: [UInt8], y: [UInt8]) {
        self.curve = curve
        self.x = x
        self.y = y
    }
}

extension ECPublicComponents {
    /// Reads the uncompressed form: 4, x, y (SEC 1 section 2.3.4).
    init(curve: Curve, uncompressedPoint point: some Collection<UInt8>) throws(CryptoError) {
        guard point.first == 4 else { throw .unsupportedPointForm }
        let length = curve.fieldByteCount
        guard point.count == 1 + 2 * length else {
            throw .wrongLength(part: "the public point", expectedBytes: 1 + 2 * length, foundBytes: point.count)
        }
        self.init(curve: curve, x: Array(point.dropFirst().prefix(length)), y: Array(point.suffix(length)))
    }

    /// The uncompressed form, once it is known that both coordinates have the length they must have.
    func uncompressedPoint() throws(CryptoError) -> [UInt8] {
        let length = curve.fieldByteCount
        guard x.count == length else { throw .wrongLength(part: "x", expectedBytes: length, foundBytes: x.count) }
        guard y.count == length else { throw .wrongLength(part: "y", expectedBytes: length, foundBytes: y.count) }
        return [4] + x + y
    }
}
