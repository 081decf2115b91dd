#if !canImport(CryptoKit)
/// The two forms of an ECDSA signature: r and s one behind the other, each as long as the field, which tokens carry
/// (RFC 7518 section 3.4), and the DER that OpenSSL speaks (RFC 3279 section 2.2.3).
enum ECDSASignature {
    /// SEQUENCE and its length, which from 128 on takes two bytes; two INTEGERs with a sign byte each.
    static func maximumDERByteCount(_ curve: Curve) -> Int { 3 + 2 * (3 + curve.fieldByteCount) }

    /// Writes DER for `signature` and returns its length; `nil` where RFC 7518 section 3.4 does not allow the
    /// signature: another length than twice the field, or r or s outside 1 ..< order (FIPS 186-4 section 6.4).
    static func der(
        of signature: UnsafeRawBufferPointer, curve: Curve, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        let length = curve.fieldByteCount
        guard signature.count == 2 * length else { return nil }
        let r = UnsafeRawBufferPointer(rebasing: signature[..<length])
        let s = UnsafeRawBufferPointer(rebasing: signature[length...])
        let order = curve.order
        guard isScalar(r, below: order), isScalar(s, below: order) else { return nil }

        let content = integerByteCount(r) + integerByteCount(s)
        var position = 0
        func append(_ byte: UInt8) {
            output[position] = byte
            position += 1
        }
        append(0x30)
        if content >= 0x80 { append(0x81) }
        append(UInt8(content))
        for half in [r, s] {
            let start = half.firstIndex { $0 != 0 } ?? 0
            append(0x02)
            append(UInt8(integerByteCount(half) - 2))
            if half[start] >= 0x80 { append(0) }
            for byte in half[start...] { append(byte) }
        }
        return position
    }

    /// Tag, length, sign byte where it is needed, digits.
    private static func integerByteCount(_ half: UnsafeRawBufferPointer) -> Int {
        let start = half.firstIndex { $0 != 0 } ?? 0
        return 2 + (half[start] >= 0x80 ? 1 : 0) + half.count - start
    }

    private static func isScalar(_ half: UnsafeRawBufferPointer, below order: [UInt8]) -> Bool {
        half.contains { $0 != 0 } && half.lexicographicallyPrecedes(order)
    }

    /// Writes the two halves of what OpenSSL made; `false` if it is not what DER allows for this curve.
    static func halves(
        ofDER der: UnsafeRawBufferPointer, curve: Curve, into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let length = curve.fieldByteCount
        guard output.count == 2 * length else { return false }
        var outer = DERReader(der, reading: "the signature")
        do throws(CryptoError) {
            var halves = try outer.inside(.sequence)
            try outer.requireEnd()
            for index in 0..<2 {
                let digits = try halves.unsignedInteger()
                guard digits.count <= length else { return false }
                let place = UnsafeMutableRawBufferPointer(rebasing: output[(index * length)..<((index + 1) * length)])
                let zeros = length - digits.count
                for position in 0..<zeros { place[position] = 0 }
                UnsafeMutableRawBufferPointer(rebasing: place[zeros...]).copyMemory(from: digits)
            }
            try halves.requireEnd()
        } catch {
            return false
        }
        return true
    }
}
#endif
