import Crypto
import Testing

@Suite struct HashFunctionTests {
    /// FIPS 180-4, the examples published with it.
    @Test(arguments: [
        (HashFunction.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha384,
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha512,
            """
            ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
            2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
            """
        ),
    ])
    func digestsTheExampleOfTheStandard(hash: HashFunction, expected: String) {
        #expect(hash.digest("abc".utf8.span) == hex(expected))
        #expect(hash.digest("abd".utf8.span) != hex(expected))
    }

    @Test func digestsNothing() {
        #expect(
            HashFunction.sha256.digest([UInt8]().span)
                == hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
    }

    @Test(arguments: HashFunction.allCases)
    func aDigestDoesNotDependOnTheOneBefore(hash: HashFunction) {
        let first = hash.digest("first".utf8.span)
        _ = hash.digest([UInt8](repeating: 7, count: 100_000).span)
        #expect(hash.digest("first".utf8.span) == first)
        #expect(first.count == hash.byteCount)
    }
}
