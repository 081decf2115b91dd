import Crypto
import JOSE
import Primitives
import Testing

/// Signatures that are wrong in their form, whatever the message.
@Suite struct SignatureRefusalTests {
    private static let curves: [(SignatureAlgorithm, Int)] = [(.es256, 32), (.es384, 48), (.es512, 66)]

    private func refuses(_ signature: [UInt8], _ algorithm: SignatureAlgorithm) throws {
        let object = try UnverifiedJWS(compact: Forgery.compact(algorithm: algorithm, signature: signature))
        let length = try right(algorithm).count
        let expected: JWSError =
            signature.count == length ? .signatureInvalid : .signatureOfWrongLength(expectedByteCount: length)
        #expect(throws: expected) { try object.verified(by: TestKeys.key(algorithm).verificationKey) }
    }

    /// A signature that is right for the message of `Forgery.compact(algorithm:signature:)`.
    private func right(_ algorithm: SignatureAlgorithm) throws -> [UInt8] {
        let text = Forgery.compact(algorithm: algorithm, signature: [])
        let signature = try TestKeys.key(algorithm).sign(String(text.dropLast()).utf8.span)
        let object = try UnverifiedJWS(compact: Forgery.compact(algorithm: algorithm, signature: signature))
        _ = try object.verified(by: TestKeys.key(algorithm).verificationKey)
        return signature
    }

    /// RFC 7518 section 3.4: r and s side by side, not the DER of X.509.
    @Test(arguments: curves)
    func refusesECDSASignaturesInDER(_ algorithm: SignatureAlgorithm, length: Int) throws {
        let signature = try right(algorithm)
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var content = Array(bytes.drop { $0 == 0 })
            if content.first.map({ $0 > 127 }) ?? true { content.insert(0, at: 0) }
            return [2, UInt8(content.count)] + content
        }
        let body = integer(signature[..<length]) + integer(signature[length...])
        try refuses([0x30] + (body.count > 127 ? [0x81] : []) + [UInt8(body.count)] + body, algorithm)
    }

    @Test(arguments: curves)
    func refusesECDSASignaturesOfAnotherLength(_ algorithm: SignatureAlgorithm, length: Int) throws {
        let signature = try right(algorithm)
        try refuses(Array(signature.dropLast()), algorithm)
        try refuses(Array(signature.dropFirst()), algorithm)
        try refuses(Array(signature[..<length]), algorithm)
        try refuses(signature + [0], algorithm)
        try refuses([0] + signature, algorithm)
        try refuses([0] + signature[..<length] + [0] + signature[length...], algorithm)
        try refuses([0], algorithm)
    }

    /// CVE-2022-21449: a signature of zeros verified for every message.
    @Test(arguments: curves)
    func refusesECDSASignaturesOfZero(_ algorithm: SignatureAlgorithm, length: Int) throws {
        let signature = try right(algorithm)
        let zero = [UInt8](repeating: 0, count: length)
        try refuses(zero + zero, algorithm)
        try refuses(signature[..<length] + zero, algorithm)
        try refuses(zero + signature[length...], algorithm)
    }

    @Test(arguments: curves)
    func refusesECDSASignaturesOutOfRange(_ algorithm: SignatureAlgorithm, length: Int) throws {
        let signature = try right(algorithm)
        let ones = [UInt8](repeating: 0xFF, count: length)
        try refuses(ones + ones, algorithm)
        try refuses(signature[..<length] + ones, algorithm)
        try refuses(ones + signature[length...], algorithm)
    }

    /// r + n is the same residue; only the range check tells it from r.
    @Test func refusesECDSASignaturesThatAreRightModuloTheOrder() throws {
        // FIPS 186-4 appendix D.1.2.5: the order of P-521 leaves room for r + n in 66 bytes.
        let order: [UInt8] =
            [0x01] + [UInt8](repeating: 0xFF, count: 32)
            + [
                0xFA, 0x51, 0x86, 0x87, 0x83, 0xBF, 0x2F, 0x96, 0x6B, 0x7F, 0xCC, 0x01, 0x48, 0xF7, 0x09, 0xA5, 0xD0,
                0x3B, 0xB5, 0xC9, 0xB8, 0x89, 0x9C, 0x47, 0xAE, 0xBB, 0x6F, 0xB7, 0x1E, 0x91, 0x38, 0x64, 0x09,
            ]
        var signature = try right(.es512)
        var carry = 0
        for index in stride(from: 65, through: 0, by: -1) {
            let sum = Int(signature[index]) + Int(order[index]) + carry
            signature[index] = UInt8(sum & 255)
            carry = sum >> 8
        }
        #expect(carry == 0)
        try refuses(signature, .es512)
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func refusesSignaturesCutShortOrExtended(_ algorithm: SignatureAlgorithm) throws {
        let signature = try right(algorithm)
        try refuses(Array(signature.dropLast()), algorithm)
        try refuses(Array(signature.prefix(16)), algorithm)
        try refuses(signature + [0], algorithm)
        try refuses([0] + signature, algorithm)
        try refuses([UInt8](repeating: 0, count: signature.count), algorithm)
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func refusesTheSignatureOfAnotherMessage(_ algorithm: SignatureAlgorithm) throws {
        try refuses(try TestKeys.key(algorithm).sign([1, 2, 3].span), algorithm)
    }
}
