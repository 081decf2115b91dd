import JOSE
import Primitives
import Testing

@Suite struct JWKPEMTests {
    @Test(arguments: SignatureAlgorithm.allCases.filter { !$0.isSymmetric })
    func readsWhatItWrites(_ algorithm: SignatureAlgorithm) throws {
        let key = TestKeys.key(algorithm).jwk
        let publicKey = try JWK(pem: key.publicPEM())
        #expect(publicKey.thumbprint() == key.thumbprint())
        #expect(!publicKey.isPrivate)
        let text = try key.privatePEM().withBytes { String(decoding: $0, as: UTF8.self) }
        let privateKey = try JWK(pem: text)
        #expect(privateKey.material == key.material)
        _ = try SigningKey(privateKey, algorithm: algorithm)
    }

    @Test func hasNoPEMForASecret() {
        #expect(throws: JWKError.symmetricKey) { try TestKeys.key(.hs256).jwk.publicPEM() }
        #expect(throws: JWKError.symmetricKey) { try TestKeys.key(.hs256).jwk.privatePEM() }
    }

    @Test func hasNoPrivatePEMForAPublicKey() throws {
        let key = try #require(TestKeys.key(.es256).publicJWK)
        #expect(throws: JWKError.privateKeyNeeded) { try key.privatePEM() }
    }

    @Test(arguments: ["", "MIIB", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"])
    func refusesWhatHoldsNoKey(_ text: String) {
        #expect {
            try JWK(pem: text)
        } throws: { error in
            if case .refused? = error as? JWKError { true } else { false }
        }
    }
}
