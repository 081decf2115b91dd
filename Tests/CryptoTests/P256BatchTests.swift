import COpenSSL
import Crypto
import Primitives
import Testing

/// Signatures over P-256 that were worked out together.
@Suite struct P256BatchTests {
    let key: PrivateKey
    let verifier: Verifier

    init() throws {
        key = try Fixture.privateKey("ec-p256")
        verifier = try Verifier(key.publicKey, scheme: .ecdsa(.p256, .sha256))
    }

    private func signatures(_ messages: [[UInt8]]) throws -> [[UInt8]] {
        let signer = try Signer(key, scheme: .ecdsa(.p256, .sha256))
        return try signer.signatures(of: messages).parts(of: signer.signatureByteCount)
    }

    /// More than a workspace holds, and what is left over of one.
    @Test(arguments: [2, 3, 16, 31, 32, 33, 64, 65, 97]) func signsEachMessageInItsPlace(count: Int) throws {
        let messages = (0..<count).map { Array("message \($0)".utf8) }
        let signatures = try signatures(messages)
        try #require(signatures.count == count)
        for (index, signature) in signatures.enumerated() {
            #expect(verifier.isValid(signature, for: messages[index]))
            #expect(!verifier.isValid(signature, for: messages[(index + 1) % count]))
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: SignatureScheme.all, [0, 1, 5]) func everySchemeSignsSeveral(scheme: SignatureScheme, count: Int)
        throws
    {
        let (signer, verifier) = try SignatureTests.pair(scheme)
        let messages = (0..<count).map { [UInt8](repeating: UInt8($0), count: 100 * $0) }
        let signatures = try signer.signatures(of: messages).parts(of: signer.signatureByteCount)
        try #require(signatures.count == count)
        for (message, signature) in zip(messages, signatures) { #expect(verifier.isValid(signature, for: message)) }
    }

    @Test(arguments: SignatureScheme.all + [.ecdsa(.p256, .sha512)]) func savesTimeForOneScheme(scheme: SignatureScheme)
        throws
    {
        let signer = try Signer(Fixture.privateKey(scheme.keyName), scheme: scheme)
        #expect(signer.isFasterForSeveral == (scheme == .ecdsa(.p256, .sha256)))
    }

    @Test(arguments: Fixture.keyNames) func takesKeysOfItsCurveOnly(name: String) throws {
        #expect((try P256Batch(Fixture.privateKey(name)) == nil) == (name != "ec-p256"))
    }

    /// RFC 6979 appendix A.2.5, where the nonces are known.
    @Test func makesTheSignaturesOfTheStandard() throws {
        let scalar = Secret(hex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"))
        let batch = try #require(try P256Batch(PrivateKey(curve: .p256, scalar: scalar)))
        let nonces = [
            "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60",
            "D16B6AE827F17175E040871A1C7EC3500192C4C92677336EC2537ACAEE0008E0",
        ]
        let expected = [
            """
            EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
            F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8
            """,
            """
            F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367
            019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083
            """,
        ].map(hex)
        let digests = ["sample", "test"].map { HashFunction.sha256.digest($0.utf8.span) }
        // Together, the other way round, and each alone.
        for order in [[0, 1], [1, 0], [0], [1]] {
            let source = KnownNonces(order.map { hex(nonces[$0]) })
            let found = try #require(batch.signatures(of: order.map { digests[$0] }, source))
            #expect(found == order.map { expected[$0] })
        }
    }

    /// Digests that are 0, the order, above it, and as large as they get; the smallest and the largest keys.
    @Test(arguments: ["00", "01", "FE", "FF"]) func signsDigestsAtTheEdges(end: String) throws {
        let order = CurveOrder.p256
        let digests = [
            [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32), order, order.dropLast() + hex(end),
            order.dropLast() + [order[31] + 1],
        ]
        for scalar in [[UInt8](repeating: 0, count: 31) + [1], order.dropLast() + [order[31] - 1]] {
            let key = try PrivateKey(curve: .p256, scalar: Secret(Array(scalar)))
            let batch = try #require(try P256Batch(key))
            let signatures = try #require(batch.signatures(of: digests.map(Array.init), nil))
            for (digest, signature) in zip(digests, signatures) {
                #expect(try RawVerifier(key).isValid(signature, for: Array(digest)))
                #expect(try !RawVerifier(key).isValid(signature, for: [UInt8](repeating: 7, count: 32)))
            }
        }
    }

    /// A nonce that is 0 has no inverse, and would give the key away with the next signature.
    @Test(arguments: [0, 1, 2], [false, true]) func refusesANonceThatIsNone(place: Int, isOrder: Bool) throws {
        let batch = try #require(try P256Batch(key))
        var nonces = (1...3).map { [UInt8](repeating: 0, count: 31) + [UInt8($0)] }
        let digests = (0..<3).map { HashFunction.sha256.digest([UInt8($0)].span) }
        #expect(batch.signatures(of: digests, KnownNonces(nonces)) != nil)
        nonces[place] = isOrder ? CurveOrder.p256 : Array(repeating: 0, count: 32)
        #expect(batch.signatures(of: digests, KnownNonces(nonces)) == nil)
        // What is signed next with the same numbers is signed rightly.
        let signatures = try #require(batch.signatures(of: digests, nil))
        let verifier = try RawVerifier(key)
        for (digest, signature) in zip(digests, signatures) { #expect(try verifier.isValid(signature, for: digest)) }
    }

    /// FIPS 186-5 section 6.4.1 step 11. It takes a digest that is made for the nonce and the key: e = -r d.
    @Test func refusesASignatureOfWhichTheSecondHalfIsZero() throws {
        let scalar = [UInt8](repeating: 0, count: 31) + [1]
        let batch = try #require(try P256Batch(PrivateKey(curve: .p256, scalar: Secret(scalar))))
        let nonce = [UInt8](repeating: 0, count: 31) + [2]
        let known = try #require(batch.signatures(of: [Array(repeating: 1, count: 32)], KnownNonces([nonce])))
        let (r, order) = (BN_bin2bn(Array(known[0][..<32]), 32, nil), BN_bin2bn(CurveOrder.p256, 32, nil))
        defer { for number in [r, order] { BN_free(number) } }
        BN_sub(r, order, r)
        var digest = [UInt8](repeating: 0, count: 32)
        BN_bn2binpad(r, &digest, 32)
        #expect(batch.signatures(of: [digest], KnownNonces([nonce])) == nil)
        digest[31] ^= 1
        #expect(batch.signatures(of: [digest], KnownNonces([nonce])) != nil)
    }

    @Test func signsNothingWithoutNonces() throws {
        let batch = try #require(try P256Batch(key))
        #expect(batch.signatures(of: [Array(repeating: 1, count: 32)], NoNonces()) == nil)
    }

    /// What was signed in the first part of a batch is not left behind when a later part fails.
    @Test func leavesNothingOfABatchThatFails() throws {
        let batch = try #require(try P256Batch(key))
        let nonces = (1...40).map { [UInt8](repeating: 0, count: 31) + [UInt8($0 == 40 ? 0 : $0)] }
        let digests = [UInt8](repeating: 3, count: 40 * P256Batch.numberByteCount)
        var output = [UInt8](repeating: 0xAA, count: 40 * P256Batch.signatureByteCount)
        let signed = digests.withUnsafeBytes { digests in
            output.withUnsafeMutableBytes { batch.sign(digests, with: KnownNonces(nonces), into: $0) }
        }
        #expect(!signed)
        #expect(output.allSatisfy { $0 == 0 })
    }

    @Test func manyTasksShareABatchSigner() async throws {
        let signer = try Signer(key, scheme: .ecdsa(.p256, .sha256))
        let faults = await withTaskGroup(of: Int.self) { [verifier] group in
            for task in 0..<8 {
                group.addTask {
                    var faults = 0
                    for round in 0..<10 {
                        let messages = (0..<(2 + round)).map { Array("\(task), \(round), \($0)".utf8) }
                        let signatures = try? signer.signatures(of: messages).parts(of: signer.signatureByteCount)
                        for (index, message) in messages.enumerated()
                        where signatures.map({ verifier.isValid($0[index], for: message) }) != true {
                            faults += 1
                        }
                    }
                    return faults
                }
            }
            return await group.reduce(0, +)
        }
        #expect(faults == 0)
    }
}

/// The secret numbers themselves. One that comes twice, or that one can guess a part of, gives the key away.
@Suite struct P256NonceTests {
    private static let scalar = [UInt8](1...32)

    private func nonces(scalar: [UInt8] = scalar, random: [UInt8], digests: [UInt8]) -> [[UInt8]] {
        var output = [UInt8](repeating: 0, count: 2 * digests.count)
        output.withUnsafeMutableBytes { output in
            random.withUnsafeBytes { random in
                digests.withUnsafeBytes { P256Nonces(scalar: Secret(scalar)).derive(output, from: random, for: $0) }
            }
        }
        return output.parts(of: P256Nonces.byteCount)
    }

    @Test func isTheHashOfKeyRandomBytesAndDigest() {
        let (random, digests) = ([UInt8](100..<164), [UInt8](164..<228))
        let expected = [0..<32, 32..<64].map { part in
            let hashed = Self.scalar + random[part] + digests[part]
            return HashFunction.sha512.digest(hashed.span)
        }
        #expect(nonces(random: random, digests: digests) == expected)
    }

    /// Of all 512 bits, and exactly: a nonce of which a part was dropped would still look even.
    @Test func isTheRemainderOfAllItsBytes() throws {
        let key = try PrivateKey(curve: .p256, scalar: Secret(Self.scalar))
        let batch = try #require(try P256Batch(key))
        let (zeros, ones) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32))
        let one = zeros.dropLast() + [1]
        let order = CurveOrder.p256
        var wide = [ones + ones, one + zeros, ones + zeros, zeros + ones, order + one, one + order, order + ones]
        wide += (0..<40).map { number in (0..<64).map { UInt8(truncatingIfNeeded: $0 * 37 + number * 101 + 1) } }
        let digests = wide.indices.map { HashFunction.sha256.digest([UInt8($0)].span) }
        let signatures = try #require(batch.signatures(of: digests, KnownNonces(wide: wide)))
        for (index, signature) in signatures.enumerated() {
            let nonce = NonceFinder.nonce(of: signature, digest: digests[index], scalar: Self.scalar)
            #expect(nonce == Remainder.byOrder(wide[index]))
        }
    }

    /// The random bytes are fresh for each of a batch, and for each batch.
    @Test func differsForTheSameDigest() throws {
        let source = P256Nonces(scalar: Secret(Self.scalar))
        let digests = [UInt8](repeating: 5, count: 32 * 32)
        var all: [[UInt8]] = []
        for _ in 0..<4 {
            var output = [UInt8](repeating: 0, count: 64 * 32)
            let filled = output.withUnsafeMutableBytes { output in
                digests.withUnsafeBytes { source.fill(output, for: $0) }
            }
            try #require(filled)
            all += output.parts(of: 64)
        }
        #expect(Set(all).count == 4 * 32)
    }

    /// Taken back out of the signatures by whoever has the key: k = (e + r d) / s. Each bit is set in half of them; six times
    /// the deviation that is to be expected happens once in a million runs.
    @Test func isEvenInEveryBit() throws {
        let key = try PrivateKey(curve: .p256, scalar: Secret(Self.scalar))
        let signer = try Signer(key, scheme: .ecdsa(.p256, .sha256))
        let messages = (0..<2_000).map { Array("message \($0 / 2)".utf8) }
        let signatures = try signer.signatures(of: messages).parts(of: 64)
        var (set, seen) = ([Int](repeating: 0, count: 256), Set<[UInt8]>())
        for (message, signature) in zip(messages, signatures) {
            let nonce = NonceFinder.nonce(
                of: signature, digest: HashFunction.sha256.digest(message.span), scalar: Self.scalar)
            for bit in 0..<256 where nonce[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 { set[bit] += 1 }
            seen.insert(nonce)
        }
        #expect(seen.count == messages.count)
        let deviation = (Double(messages.count) / 4).squareRoot()
        for bit in 0..<256 {
            // The order begins with 32 bits that are set and as many that are not, so that these are even as well.
            #expect(abs(Double(set[bit]) - Double(messages.count) / 2) < 6 * deviation, "bit \(bit)")
        }
    }
}

/// Nonces that are known beforehand: all bytes that are asked for, or the last of them.
private struct KnownNonces: P256NonceSource {
    private let bytes: [UInt8]
    private let taken = Taken()

    /// How many are used up by the parts of a batch before.
    private final class Taken { var count = 0 }

    init(_ nonces: [[UInt8]]) { self.init(wide: nonces.map { Array(repeating: 0, count: 32) + $0 }) }

    init(wide nonces: [[UInt8]]) { bytes = nonces.flatMap { $0 } }

    func fill(_ nonces: UnsafeMutableRawBufferPointer, for digests: UnsafeRawBufferPointer) -> Bool {
        nonces.copyBytes(from: bytes[taken.count..<(taken.count + nonces.count)])
        taken.count += nonces.count
        return true
    }
}

private struct NoNonces: P256NonceSource {
    func fill(_ nonces: UnsafeMutableRawBufferPointer, for digests: UnsafeRawBufferPointer) -> Bool { false }
}

private enum CurveOrder {
    static let p256 = hex("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")
}

extension P256Batch {
    /// With the nonces that are given, or its own.
    fileprivate func signatures(of digests: [[UInt8]], _ nonces: (any P256NonceSource)?) -> [[UInt8]]? {
        var output = [UInt8](repeating: 0, count: digests.count * Self.signatureByteCount)
        let signed = digests.flatMap { $0 }.withUnsafeBytes { digests in
            output.withUnsafeMutableBytes { output in
                if let nonces { sign(digests, with: nonces, into: output) } else { sign(digests, into: output) }
            }
        }
        return signed ? output.parts(of: Self.signatureByteCount) : nil
    }
}

extension [UInt8] {
    fileprivate func parts(of length: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: length).map { [UInt8](self[$0..<($0 + length)]) }
    }
}

/// Checks a signature of a digest, of which nobody knows a message, by OpenSSL.
private final class RawVerifier {
    private let key: OpaquePointer

    init(_ key: PrivateKey) throws {
        let text = try key.publicKey.pem()
        let bio = BIO_new_mem_buf(text, Int32(text.utf8.count))
        defer { BIO_free(bio) }
        self.key = try #require(PEM_read_bio_PUBKEY(bio, nil, nil, nil))
    }

    deinit {
        EVP_PKEY_free(key)
    }

    func isValid(_ signature: [UInt8], for digest: [UInt8]) throws -> Bool {
        let numbers = signature.parts(of: 32).map { BN_bin2bn($0, 32, nil) }
        let both = ECDSA_SIG_new()
        defer { ECDSA_SIG_free(both) }
        try #require(ECDSA_SIG_set0(both, numbers[0], numbers[1]) == 1)
        var der = [UInt8](repeating: 0, count: 80)
        let length = der.withUnsafeMutableBufferPointer { buffer in
            var place = buffer.baseAddress
            return i2d_ECDSA_SIG(both, &place)
        }
        let context = EVP_PKEY_CTX_new(key, nil)
        defer { EVP_PKEY_CTX_free(context) }
        try #require(EVP_PKEY_verify_init(context) == 1)
        return EVP_PKEY_verify(context, der, Int(length), digest, digest.count) == 1
    }
}

private enum Remainder {
    static func byOrder(_ bytes: [UInt8]) -> [UInt8] {
        let context = BN_CTX_new()
        let (number, order) = (BN_bin2bn(bytes, Int32(bytes.count), nil), BN_bin2bn(CurveOrder.p256, 32, nil))
        defer {
            for number in [number, order] { BN_free(number) }
            BN_CTX_free(context)
        }
        BN_nnmod(number, number, order, context)
        var remainder = [UInt8](repeating: 0, count: 32)
        BN_bn2binpad(number, &remainder, 32)
        return remainder
    }
}

/// Finds the nonce of a signature, for whoever has the key.
private enum NonceFinder {
    static func nonce(of signature: [UInt8], digest: [UInt8], scalar: [UInt8]) -> [UInt8] {
        let context = BN_CTX_new()
        defer { BN_CTX_free(context) }
        let numbers = (signature.parts(of: 32) + [digest, scalar, CurveOrder.p256]).map { BN_bin2bn($0, 32, nil) }
        defer { for number in numbers { BN_free(number) } }
        let (r, s, e, d, n) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
        BN_mod_mul(r, r, d, n, context)
        BN_mod_add(r, r, e, n, context)
        BN_mod_inverse(s, s, n, context)
        BN_mod_mul(r, r, s, n, context)
        var nonce = [UInt8](repeating: 0, count: 32)
        BN_bn2binpad(r, &nonce, 32)
        return nonce
    }
}
