import Crypto
import Primitives
import Testing

@Suite struct RSAComponentsTests {
    static let original = try! Fixture.privateKey("rsa-2048").rsaComponents!
    static let otherOne = try! Fixture.privateKey("rsa-3072").rsaComponents!

    /// What `change` makes of the bytes of a secret number.
    static func changed(_ secret: Secret, _ change: (inout [UInt8]) -> Void) -> Secret {
        var bytes = secret.withBytes { Array($0) }
        change(&bytes)
        return Secret(bytes)
    }

    @Test(arguments: ["rsa-2048", "rsa-3072", "rsa-4096"])
    func comesOutAsItWentIn(name: String) throws {
        let components = try #require(try Fixture.privateKey(name).rsaComponents)
        let key = try PrivateKey(rsa: components)
        #expect(key.rsaComponents == components)
        #expect(try PublicKey(rsa: components.publicComponents) == key.publicKey)
        #expect(key.publicKey.rsaComponents == components.publicComponents)
        #expect(key.ecComponents == nil)
        #expect(key.ed25519Seed == nil)
        #expect(key.publicKey.ecComponents == nil)
        #expect(key.publicKey.ed25519Bytes == nil)
    }

    /// RFC 7518 section 6.3.2: d alone makes a private key; the primes follow from it.
    @Test func findsThePrimesFromThePrivateExponent() throws {
        var components = Self.original
        components.factors = nil
        let found = try #require(try PrivateKey(rsa: components).rsaComponents?.factors)
        let expected = try #require(Self.original.factors)
        let straight = found.prime1 == expected.prime1 && found.prime2 == expected.prime2
        let swapped = found.prime1 == expected.prime2 && found.prime2 == expected.prime1
        #expect(straight || swapped)
    }

    @Test func refusesAPrivateExponentThatIsNotTheInverse() {
        var components = Self.original
        components.factors = nil
        components.privateExponent = Self.changed(components.privateExponent) { $0[7] ^= 4 }
        #expect(throws: CryptoError.inconsistentKey("the RSA private exponent is not the inverse of the public one")) {
            try PrivateKey(rsa: components)
        }
        components.privateExponent = Self.otherOne.privateExponent
        #expect(throws: CryptoError.inconsistentKey("the private exponent is zero or not below the modulus")) {
            try PrivateKey(rsa: components)
        }
        for word in [[], [0], [1], [2]] as [[UInt8]] {
            components.privateExponent = Secret(word)
            #expect(throws: CryptoError.self) { try PrivateKey(rsa: components) }
        }
    }

    static let parts: [String] = ["d", "p", "q", "dp", "dq", "qi"]

    static func changing(_ part: String, _ change: (inout [UInt8]) -> Void) -> RSAPrivateComponents {
        var components = original
        var factors = original.factors!
        switch part {
        case "d": components.privateExponent = changed(components.privateExponent, change)
        case "p": factors.prime1 = changed(factors.prime1, change)
        case "q": factors.prime2 = changed(factors.prime2, change)
        case "dp": factors.exponent1 = changed(factors.exponent1, change)
        case "dq": factors.exponent2 = changed(factors.exponent2, change)
        default: factors.coefficient = changed(factors.coefficient, change)
        }
        components.factors = factors
        return components
    }

    @Test(arguments: parts)
    func refusesAPartThatContradictsTheOthers(part: String) {
        for change in [
            { $0[$0.count - 1] ^= 2 }, { $0[0] ^= 1 }, { $0 = [] }, { $0 = [0] }, { $0 = [1] }, { $0.append(0) },
        ] as [(inout [UInt8]) -> Void] {
            #expect(throws: CryptoError.self) { try PrivateKey(rsa: Self.changing(part, change)) }
        }
    }

    @Test func refusesThePrimesOfAnotherKey() {
        var components = Self.original
        components.factors = Self.otherOne.factors
        #expect(throws: CryptoError.inconsistentKey("the RSA modulus is not the product of the primes")) {
            try PrivateKey(rsa: components)
        }
    }

    @Test func refusesAFactorThatIsOneOrTheModulusItself() {
        var components = Self.original
        components.factors?.prime1 = Secret([1])
        components.factors?.prime2 = Secret(components.publicComponents.modulus)
        #expect(throws: CryptoError.inconsistentKey("the RSA primes are not two different odd numbers")) {
            try PrivateKey(rsa: components)
        }
    }

    @Test(arguments: [
        ([UInt8](), CryptoError.invalidRSAExponent("below 3")),
        ([0], .leadingZero(part: "the RSA public exponent")),
        ([1], .invalidRSAExponent("below 3")),
        ([2], .invalidRSAExponent("even")),
        ([1, 0, 0], .invalidRSAExponent("even")),
        ([0, 1, 0, 1], .leadingZero(part: "the RSA public exponent")),
        ([1, 0, 0, 0, 0, 0, 0, 0, 1], .invalidRSAExponent("longer than 64 bits")),
    ])
    func refusesAPublicExponent(exponent: [UInt8], expected: CryptoError) {
        var components = Self.original.publicComponents
        components.exponent = exponent
        #expect(throws: expected) { try PublicKey(rsa: components) }
    }

    @Test(arguments: [[3], [1, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
    func acceptsAPublicExponent(exponent: [UInt8]) throws {
        var components = Self.original.publicComponents
        components.exponent = exponent
        #expect(try PublicKey(rsa: components).rsaComponents?.exponent == exponent)
    }

    @Test func refusesAModulus() {
        func error(_ modulus: [UInt8]) -> CryptoError? {
            do throws(CryptoError) {
                _ = try PublicKey(rsa: RSAPublicComponents(modulus: modulus, exponent: [1, 0, 1]))
                return nil
            } catch {
                return error
            }
        }
        let good = Self.original.publicComponents.modulus
        #expect(error(good) == nil)
        #expect(error([0] + good) == .leadingZero(part: "the RSA modulus"))
        #expect(error(good.dropLast() + [good.last! & 0xFE]) == .invalidRSAModulus)
        #expect(error([]) == .rsaModulusTooShort(bits: 0, minimum: 2048))
        #expect(error([0x7F] + good.dropFirst()) == .rsaModulusTooShort(bits: 2047, minimum: 2048))
        let longest = [UInt8](repeating: 0xFF, count: 2048)
        #expect(error(longest) == nil)
        #expect(error([1] + longest) == .rsaModulusTooLong(bits: 16_385, maximum: 16_384))
    }

    @Test(arguments: [512, 1024, 2047, 16_385])
    func doesNotGenerateAKeyOfAnotherLength(bits: Int) {
        #expect(throws: CryptoError.self) { try PrivateKey.generate(.rsa(bits: bits)) }
    }
}
