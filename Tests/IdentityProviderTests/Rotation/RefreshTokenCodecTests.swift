import IdentityProvider
import Primitives
import Testing

@Suite struct RefreshTokenCodecTests {
    private let codec = RefreshTokenCodec(secret: Secret(utf8: "a secret of the provider"))
    private let family = FamilyID(bytes: Array(1...16))!

    @Test(arguments: [0, 1, 2, 255, 256, 65_536, UInt32.max] as [UInt32])
    func readsWhatItWrote(node: UInt32) throws {
        let read = try #require(codec.read(codec.token(of: family, node: node)))
        #expect(read.family == family)
        #expect(read.node == node)
    }

    @Test func theSameNumberIsTheSameTokenAndNoOtherIs() {
        #expect(codec.token(of: family, node: 1) == codec.token(of: family, node: 1))
        #expect(codec.token(of: family, node: 1) != codec.token(of: family, node: 2))
        let other = FamilyID(bytes: Array(2...17))!
        #expect(codec.token(of: family, node: 1) != codec.token(of: other, node: 1))
    }

    /// Each single bit of the text, so that none is left unlooked at: neither a prefix nor the bits that Base64URL does not
    /// use at its end.
    @Test func refusesATokenWithAnyBitFlipped() {
        let token = Array(codec.token(of: family, node: 7).utf8)
        for index in token.indices {
            for bit in 0..<8 {
                var changed = token
                changed[index] ^= 1 << bit
                guard let text = String(validating: changed, as: UTF8.self) else { continue }
                #expect(codec.read(text) == nil, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func refusesATokenCutOffAnywhere() {
        let token = codec.token(of: family, node: 7)
        for length in 0..<token.utf8.count { #expect(codec.read(String(token.prefix(length))) == nil) }
        for length in 1..<token.utf8.count { #expect(codec.read(String(token.suffix(length))) == nil) }
    }

    @Test(arguments: ["", " ", ".", "rt1.", "rt1", "rt1.AAAA", "rt2.", "at1.AAAA", "null", "\u{0}", "rt1.é"])
    func refusesWhatIsNoToken(text: String) {
        #expect(codec.read(text) == nil)
    }

    @Test(arguments: [" ", "=", "A", ".", "\n", "\u{301}"])
    func refusesATokenWithSomethingBehindOrBefore(extra: String) {
        let token = codec.token(of: family, node: 7)
        #expect(codec.read(token + extra) == nil)
        #expect(codec.read(extra + token) == nil)
    }

    @Test(arguments: [" ", "\u{301}", "\u{200D}", "\u{FE0F}"])
    func refusesATokenWithSomethingBehindItsPrefix(extra: String) {
        #expect(codec.read("rt1." + extra + codec.token(of: family, node: 7).dropFirst(4)) == nil)
    }

    @Test func refusesATokenOfAnotherProvider() {
        let other = RefreshTokenCodec(secret: Secret(utf8: "another secret"))
        #expect(codec.read(other.token(of: family, node: 7)) == nil)
    }

    @Test func refusesACodeThatBelongsToAnotherNumber() throws {
        let one = Array(try Base64URL.decode(String(codec.token(of: family, node: 1).dropFirst(4))))
        let two = Array(try Base64URL.decode(String(codec.token(of: family, node: 2).dropFirst(4))))
        let mixed = two[..<20] + one[20...]
        #expect(codec.read("rt1." + Base64URL.encode(Array(mixed))) == nil)
    }
}

extension String {
    fileprivate init?(validating bytes: [UInt8], as encoding: UTF8.Type) {
        guard let text = bytes.withUnsafeBufferPointer({ String(validating: $0, as: UTF8.self) }) else { return nil }
        self = text
    }
}
