import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// The examples of RFC 9449.
@Suite struct DPoPExampleTests {
    private static let header =
        "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0Rs"
        + "cEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2"
        + "In19"
    /// Figure 1.
    private static let tokenProof =
        header
        + ".eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2"
        + "VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37x"
        + "RZT3Lg"
    /// Figure 6.
    private static let refreshProof =
        header
        + ".eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2"
        + "VuIiwiaWF0IjoxNTYyMjY1Mjk2fQ.pAqut2IRDm_De6PR93SYmGBPXpwrAk90e8cP2hjiaG5QsGSuKDYW7_X620BxqhvYC8ynrrvZLTk41mSR"
        + "roapUA"
    /// Figure 12.
    private static let resourceProof =
        header
        + ".eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm"
        + "90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFF"
        + "byJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA"
    private static let accessToken = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
    /// Section 6.1.
    private static let thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"

    private let reader = DPoPProofReader(
        policy: ProofPolicy(), nonces: ProofNonces(secret: Secret(utf8: "a secret of the test")))

    private func url(_ text: String) throws -> [TargetURL] { [try #require(TargetURL(text))] }

    @Test func takesTheProofsOfTokenRequests() throws {
        for (proof, moment) in [(Self.tokenProof, 1_562_262_616), (Self.refreshProof, 1_562_265_296)] {
            let judged = try reader.proof(
                proof, for: .init(method: .post, urls: url("https://server.example.com/token")),
                at: Timestamp(secondsSinceEpoch: Int64(moment)))
            #expect(judged.thumbprint == Self.thumbprint)
            #expect(judged.identifier == "-BwC3ESc6acc2lTc")
        }
    }

    @Test func takesTheProofOfAResourceRequest() throws {
        #expect(DPoPProofReader.hash(of: Self.accessToken) == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
        let judged = try reader.proof(
            Self.resourceProof,
            for: .init(
                method: .get, urls: url("https://resource.example.org/protectedresource"),
                accessToken: Self.accessToken), at: Timestamp(secondsSinceEpoch: 1_562_262_618))
        #expect(judged.thumbprint == Self.thumbprint)
    }

    /// Section 4.3, rule 12.
    @Test func refusesItWithAnotherToken() throws {
        let urls = try url("https://resource.example.org/protectedresource")
        for token in [Self.accessToken + "x", String(Self.accessToken.dropLast()), Self.accessToken.lowercased(), ""] {
            #expect(throws: OAuthError(.invalidDPoPProof, "")) {
                try reader.proof(
                    Self.resourceProof, for: .init(method: .get, urls: urls, accessToken: token),
                    at: Timestamp(secondsSinceEpoch: 1_562_262_618))
            }
        }
    }

    /// The proof of a token request has no ath.
    @Test func refusesAProofWithoutAHashWhereThereIsAToken() throws {
        let urls = try url("https://server.example.com/token")
        #expect(throws: OAuthError(.invalidDPoPProof, "")) {
            try reader.proof(
                Self.tokenProof, for: .init(method: .post, urls: urls, accessToken: Self.accessToken),
                at: Timestamp(secondsSinceEpoch: 1_562_262_616))
        }
    }

    /// RFC 7638 section 3.1.
    @Test func makesTheThumbprintOfTheStandard() throws {
        let key = try JWK(
            parsing: """
                {"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPeb\
                WKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnY\
                b9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-c\
                sFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}
                """)
        #expect(key.thumbprint() == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }
}
