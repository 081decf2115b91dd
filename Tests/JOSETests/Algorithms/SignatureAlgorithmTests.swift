import JOSE
import Testing

@Suite struct SignatureAlgorithmTests {
    /// RFC 7518 section 3.1 and RFC 8037 section 3.1: these, and no other.
    @Test func offersExactlyTheseAlgorithms() {
        let names = [
            "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
            "EdDSA",
        ]
        #expect(SignatureAlgorithm.allCases.map(\.name) == names)
        for name in names { #expect(SignatureAlgorithm(named: name)?.name == name) }
    }

    @Test(arguments: ["none", "hs256", "HS1", "", "ES256K", "RSA-OAEP", "HS256\0"])
    func knowsNoOtherName(_ name: String) {
        #expect(SignatureAlgorithm(named: name) == nil)
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func signsAndVerifies(_ algorithm: SignatureAlgorithm) throws {
        let key = TestKeys.key(algorithm)
        for length in [0, 1, 1000] {
            let message = [UInt8](repeating: 0x61, count: length)
            let signature = try key.sign(message.span)
            let isValid = key.verificationKey.isValid(signature.span, for: message.span)
            let isValidForMore = key.verificationKey.isValid(signature.span, for: (message + [0]).span)
            #expect(isValid)
            #expect(!isValidForMore)
        }
    }
}
