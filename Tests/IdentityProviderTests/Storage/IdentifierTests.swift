import IdentityProvider
import Primitives
import Testing

@Suite struct IdentifierTests {
    @Test func aFamilyIsNamedByItsBytes() throws {
        let id = try #require(FamilyID(bytes: Array(1...16)))
        #expect(id.bytes == Array(1...16))
        #expect(FamilyID(id.description) == id)
        #expect(FamilyID(bytes: Array(2...17)) != id)
    }

    @Test(arguments: [0, 1, 15, 17, 32])
    func refusesAFamilyOfAnotherLength(count: Int) {
        #expect(FamilyID(bytes: Array(repeating: 1, count: count)) == nil)
        #expect(FamilyID(Base64URL.encode(Array(repeating: 1, count: count))) == nil)
    }

    /// One family has one spelling: 22 characters hold 132 bits, and the four that are too many must be zero.
    @Test func refusesAnotherSpellingOfAFamily() throws {
        let text = FamilyID(bytes: Array(repeating: 0, count: 16))!.description
        #expect(text.utf8.count == 22)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let spellings = alphabet.map { text.dropLast() + String($0) }.filter { FamilyID($0) != nil }
        #expect(spellings.count == 4)
        for extra in ["=", " ", "A", "\n"] { #expect(FamilyID(text + extra) == nil) }
    }

    @Test func freshFamiliesDiffer() {
        let random = SystemRandom()
        #expect(Set((0..<1000).map { _ in FamilyID(from: random) }).count == 1000)
    }

    @Test func aDigestIsThatOfTheText() throws {
        // SHA-256 of "abc" (FIPS 180-2 appendix B.1).
        let digest = TokenDigest(of: "abc")
        #expect(digest.bytes.prefix(4).elementsEqual([0xBA, 0x78, 0x16, 0xBF]))
        #expect(TokenDigest(bytes: digest.bytes) == digest)
        #expect(TokenDigest(of: "abd") != digest)
        #expect(TokenDigest(of: "\u{E9}") != TokenDigest(of: "e\u{301}"))
        #expect(Set([digest, TokenDigest(of: "abc")]).count == 1)
    }

    @Test(arguments: [0, 31, 33, 64])
    func refusesADigestOfAnotherLength(count: Int) {
        #expect(TokenDigest(bytes: Array(repeating: 1, count: count)) == nil)
    }
}
