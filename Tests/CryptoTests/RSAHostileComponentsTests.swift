import Crypto
import Primitives
import Testing

/// What it costs to refuse numbers that were made up to be dear: a key may come from anybody's key set.
@Suite struct RSAHostileComponentsTests {
    private func components(modulus: [UInt8], privateExponent: [UInt8]) -> RSAPrivateComponents {
        RSAPrivateComponents(
            publicComponents: RSAPublicComponents(modulus: modulus, exponent: [1, 0, 1]),
            privateExponent: Secret(privateExponent), factors: nil)
    }

    /// With every base tried, this one would take more than a minute.
    @Test(.timeLimit(.minutes(1))) func givesABogusExponentUpAtTheFirstBase() {
        let random = SeededRandom(seed: 16_384)
        var modulus = random.bytes(2048)
        modulus[0] |= 0x80
        modulus[2047] |= 1
        // Odd, so that e * d - 1 is even.
        var privateExponent = random.bytes(2047)
        privateExponent[2046] |= 1
        #expect(throws: CryptoError.inconsistentKey("the RSA private exponent is not the inverse of the public one")) {
            try PrivateKey(
                rsa: components(
                    modulus: modulus, privateExponent: privateExponent))
        }
    }

    /// The exponents are inverses, so no base tells that there are no two primes to find.
    @Test(arguments: [prime, square])
    func refusesAModulusThatIsNotOfSeveralPrimes(_ key: (modulus: String, privateExponent: String)) throws {
        let components = components(
            modulus: hex(key.modulus), privateExponent: hex(key.privateExponent))
        #expect(throws: CryptoError.inconsistentKey("the RSA modulus is not the product of two primes")) {
            try PrivateKey(rsa: components)
        }
    }

    static let prime = (
        modulus: """
        e50fa84cdf2769e8980328b17b2ea3a9a259e46e1c74719ca0c81c5099632effd7890d40d10f448f3416b9518072c972e1cfd2a2fa91
        303de33b6181c9911281fbf619461ca5027d7709c018e503e203463b17966dcd183f89f3f1070569b5722fa05f0e14bbc7949b911fbf
        62634cfdb009a8b2248ad301fb398fab7a6b289b4efef6c5c4e79d377f8335e4a750a8ca022db00c276a0f057838a4d1ffb489cc1a01
        672f5468c4e3d28675ad565f9df4d3833b60710b09783cf34215c8cf07ff09c152ab6ee4cd305189461714ce7d340c08e892df135bc1
        9056693b78200ae30e84060c34566b509fe2cc3bb02fc9f5c7590df2e62e3b9ddca58955406f9e1d
        """,
        privateExponent: """
        51c4d41c94f0b9f2e908ffa6d3c5637133de8917f19a73d028e9268a73271fe8fea5131117502ef63beefcbaa672d38cea2549191aff
        674c4068bb371ca0680df4c6f660bbeaffc7900df0003308beced26c57d040641d8ad91136f27db12daf9466d867eb68d927289d96ca
        b831a093531b2f9860491a6833a969ab1a2954b6946d99e4219558df2deac5fb58eb07460d9f07a05f1592452e9471e9f1311e9bb890
        d5a7e4a6fdda221613be0bfe5821c4bbad1f915b124754e2b5ad9720a8c7175166d481e2b588d12282ddcc74a5e745808c9d997a8c9f
        bd89cb490a69cdd91e1e6d16403cb55473aeff9f3316ec2e8bba33ab8915e9fc417eea567f8918d5
        """
    )

    static let square = (
        modulus: """
        d32a514eaabc92685b6ad7d844519633088aaf46cbd98f9fa7addc1c04170bceed663d6c3c70d88067901228bad8c5795a69240181ec
        a445d9f066a0553bccc15bd1c5f69095b9d41ac4709d3889cf86ea1cec269b1b1886b650184ea04b88dbee86d54490ecb8d86a71db84
        d07b97ae079532cd6da3a5f25fb460c318492280999e0758c22d0819076fa2cb78725aa64b8a00c6c6ed4ffff1ba57c60dc87138e009
        218032693ae3a5c26a79753df0338f8b45aea9d2f718d08526b55dded273aa1446b0efb974444e1e4bac74298e344f6ffca9defeb37c
        811369869501706709a43342a767a99d5929d37087900b33464fd14ceddb4b519da31a83f1b7ea49
        """,
        privateExponent: """
        bbe95c9174be7a4b038f00a523a6b6d2933756e2d964b1ba91acd5c2d8a0e9912b1160778111aa981990cb98132df40d19b796a300cb
        652403dd3a765362f3c2ddc2bf37bb52821b8df66180875f9b9da398394de1992b2a35f2f0ae8756b06386cfd5d93e5e69dfac59c5cf
        5af7a0f2ed2c8818e7084a1475b63ea55e67369c0b307a6873537026fa5fd500abd6911184e12fcc9b68a65145d80d5cf410665c685d
        5282c098795dada9d48c79a9e55f09391eaf52b771f81a9e555222f97e4b7f5f59477fe1618b989ed3434d93cfff4f2039b4016192c9
        a6baa0c821d0d54952e7cdcd24fd2055503334230478686fc4e33b17bf386c7002bfb5b818361ce1
        """
    )
}
