import Crypto
import Primitives
import Testing

@Suite struct ECComponentsTests {
    static let names = ["ec-p256", "ec-p384", "ec-p521"]

    @Test(arguments: names)
    func comesOutAsItWentIn(name: String) throws {
        let components = try #require(try Fixture.privateKey(name).ecComponents)
        let curve = components.publicComponents.curve
        #expect(components.scalar.count == curve.fieldByteCount)
        #expect(components.publicComponents.x.count == curve.fieldByteCount)
        #expect(components.publicComponents.y.count == curve.fieldByteCount)
        let key = try PrivateKey(ec: components)
        #expect(key.ecComponents == components)
        #expect(try PublicKey(ec: components.publicComponents) == key.publicKey)
        #expect(try PrivateKey(curve: curve, scalar: components.scalar).publicKey == key.publicKey)
        #expect(key.rsaComponents == nil)
        #expect(key.ed25519Seed == nil)
        #expect(key.publicKey.rsaComponents == nil)
    }

    @Test(arguments: names)
    func refusesAPointThatIsNotOnTheCurve(name: String) throws {
        let components = try #require(try Fixture.privateKey(name).ecComponents)
        var changed = components
        changed.publicComponents.y[5] ^= 1
        #expect(throws: CryptoError.pointNotOnCurve) { try PublicKey(ec: changed.publicComponents) }
        #expect(throws: CryptoError.pointNotOnCurve) { try PrivateKey(ec: changed) }
        changed = components
        changed.publicComponents.x = [UInt8](repeating: 0, count: changed.publicComponents.x.count)
        changed.publicComponents.y = changed.publicComponents.x
        #expect(throws: CryptoError.pointNotOnCurve) { try PublicKey(ec: changed.publicComponents) }
        // Above the prime of the field.
        changed.publicComponents.x = [UInt8](repeating: 0xFF, count: changed.publicComponents.x.count)
        #expect(throws: CryptoError.pointNotOnCurve) { try PublicKey(ec: changed.publicComponents) }
    }

    /// RFC 7518 sections 6.2.1.2 and 6.2.2.1: exactly as long as the field, also where the first byte is zero.
    @Test(arguments: names)
    func refusesPartsOfAnotherLength(name: String) throws {
        let components = try #require(try Fixture.privateKey(name).ecComponents)
        for change in [{ $0.removeLast() }, { $0.insert(0, at: 0) }, { $0.append(0) }, { $0 = [] }]
            as [(inout [UInt8]) -> Void]
        {
            var changed = components
            change(&changed.publicComponents.x)
            #expect(throws: CryptoError.self) { try PublicKey(ec: changed.publicComponents) }
            changed = components
            change(&changed.publicComponents.y)
            #expect(throws: CryptoError.self) { try PublicKey(ec: changed.publicComponents) }
            changed = components
            changed.scalar = RSAComponentsTests.changed(components.scalar, change)
            #expect(throws: CryptoError.self) { try PrivateKey(ec: changed) }
        }
    }

    @Test(arguments: names)
    func refusesAPointThatBelongsToAnotherScalar(name: String) throws {
        var components = try #require(try Fixture.privateKey(name).ecComponents)
        components.scalar = RSAComponentsTests.changed(components.scalar) { $0[9] ^= 1 }
        #expect(throws: CryptoError.inconsistentKey("the public point does not belong to the private scalar")) {
            try PrivateKey(ec: components)
        }
    }

    static let orders: [(Curve, String)] = [
        (.p256, "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"),
        (
            .p384,
            "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973"
        ),
        (
            .p521,
            """
            01FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFA
            51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409
            """
        ),
    ]

    /// FIPS 186-4 appendix B.4: a private scalar lies in 1 ..< order.
    @Test(arguments: orders)
    func refusesAScalarThatIsZeroOrNotBelowTheOrder(curve: Curve, orderText: String) throws {
        let order = hex(orderText)
        let zero = [UInt8](repeating: 0, count: curve.fieldByteCount)
        for scalar in [zero, order, order.dropLast() + [order.last! + 1], zero.map { _ in 0xFF }] as [[UInt8]] {
            #expect(throws: CryptoError.privateScalarOutOfRange) {
                try PrivateKey(curve: curve, scalar: Secret(scalar))
            }
        }
        for scalar in [zero.dropLast() + [1], order.dropLast() + [order.last! - 1]] as [[UInt8]] {
            #expect(try PrivateKey(curve: curve, scalar: Secret(scalar)).kind == .ec(curve))
        }
    }

    @Test func refusesAPointOfAnotherCurve() throws {
        var components = try #require(try Fixture.privateKey("ec-p256").ecComponents).publicComponents
        components.curve = .p384
        #expect(throws: CryptoError.wrongLength(part: "x", expectedBytes: 48, foundBytes: 32)) {
            try PublicKey(ec: components)
        }
    }
}
