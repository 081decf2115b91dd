import Crypto
import Testing

/// RFC 7518 section 3.4: r and s one behind the other, each exactly as long as the field, both in 1 ..< order.
@Suite struct ECDSASignatureTests {
    static let message = Array("message".utf8)

    static func parts(_ curve: Curve) throws -> (verifier: Verifier, r: [UInt8], s: [UInt8], order: [UInt8]) {
        let hash: HashFunction = curve == .p256 ? .sha256 : curve == .p384 ? .sha384 : .sha512
        let (signer, verifier) = try SignatureTests.pair(.ecdsa(curve, hash))
        let signature = try signer.sign(message)
        let length = curve.fieldByteCount
        let order = hex(ECComponentsTests.orders.first { $0.0 == curve }!.1)
        return (verifier, Array(signature[..<length]), Array(signature[length...]), order)
    }

    @Test(arguments: Curve.allCases)
    func refusesZero(curve: Curve) throws {
        let (verifier, r, s, _) = try Self.parts(curve)
        let zero = [UInt8](repeating: 0, count: curve.fieldByteCount)
        #expect(verifier.isValid(r + s, for: Self.message))
        #expect(!verifier.isValid(zero + s, for: Self.message))
        #expect(!verifier.isValid(r + zero, for: Self.message))
        #expect(!verifier.isValid(zero + zero, for: Self.message))
    }

    @Test(arguments: Curve.allCases)
    func refusesTheOrderAndWhatIsAboveIt(curve: Curve) throws {
        let (verifier, r, s, order) = try Self.parts(curve)
        let above: [UInt8] = order.dropLast() + [order.last! + 1]
        let highest = [UInt8](repeating: 0xFF, count: curve.fieldByteCount)
        for number in [order, above, highest] as [[UInt8]] {
            #expect(!verifier.isValid(number + s, for: Self.message))
            #expect(!verifier.isValid(r + number, for: Self.message))
        }
    }

    /// The same number modulo the order is another spelling of the signature, and there is one only.
    @Test func refusesANumberWithTheOrderAddedToIt() throws {
        let length = Curve.p521.fieldByteCount
        let (verifier, r, s, order) = try Self.parts(.p521)
        var sum = [UInt8](repeating: 0, count: length)
        var carry = 0
        for index in stride(from: length - 1, through: 0, by: -1) {
            let digit = Int(s[index]) + Int(order[index]) + carry
            sum[index] = UInt8(digit & 0xFF)
            carry = digit >> 8
        }
        #expect(carry == 0)
        #expect(!verifier.isValid(r + sum, for: Self.message))
    }

    @Test(arguments: Curve.allCases)
    func refusesDER(curve: Curve) throws {
        let (verifier, r, s, _) = try Self.parts(curve)
        func integer(_ bytes: [UInt8]) -> [UInt8] {
            let digits = Array(bytes.drop { $0 == 0 })
            let signed = digits[0] >= 0x80 ? [0] + digits : digits
            return [2, UInt8(signed.count)] + signed
        }
        let content = integer(r) + integer(s)
        let der = [0x30] + (content.count >= 0x80 ? [0x81] : []) + [UInt8(content.count)] + content
        #expect(!verifier.isValid(der, for: Self.message))
        // Nor when it is cut or filled up to the right length.
        let length = 2 * curve.fieldByteCount
        #expect(!verifier.isValid(Array((der + [UInt8](repeating: 0, count: 80)).prefix(length)), for: Self.message))
    }

    @Test(arguments: Curve.allCases)
    func refusesHalvesOfAnotherLength(curve: Curve) throws {
        let (verifier, r, s, _) = try Self.parts(curve)
        #expect(!verifier.isValid([0] + r + [0] + s, for: Self.message))
        #expect(!verifier.isValid(Array(r.dropFirst()) + s, for: Self.message))
        #expect(!verifier.isValid(r, for: Self.message))
        #expect(!verifier.isValid(s + r, for: Self.message))
    }

    /// A number with leading zeros is filled up; one in 256 signatures has an r like that.
    @Test func everySignatureHasTheSameLength() throws {
        let (signer, verifier) = try SignatureTests.pair(.ecdsa(.p256, .sha256))
        var withZeros = 0
        for number in 0..<2000 {
            let message = Array("message \(number)".utf8)
            let signature = try signer.sign(message)
            guard signature.count == 64 else {
                Issue.record("\(signature.count) bytes")
                return
            }
            guard signature[0] == 0 || signature[32] == 0 else { continue }
            withZeros += 1
            #expect(verifier.isValid(signature, for: message))
        }
        #expect(withZeros > 0)
    }
}
