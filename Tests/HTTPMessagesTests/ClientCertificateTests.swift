import HTTPMessages
import Testing

@Suite("Client certificates")
struct ClientCertificateTests {
    private func certificate(der: [UInt8] = [1, 2], isTrusted: Bool = false) -> ClientCertificate {
        ClientCertificate(
            der: der, sha256Thumbprint: [UInt8](repeating: 7, count: 32), publicKeyInfo: [3], subject: "CN=a",
            subjectAlternativeNames: [.dns("a.test")], isTrusted: isTrusted)
    }

    @Test func areTheSameWhenTheirBytesAndTheirTrustAre() {
        #expect(certificate() == certificate())
        #expect(certificate().hashValue == certificate().hashValue)
        #expect(certificate() != certificate(der: [1, 3]))
        #expect(certificate() != certificate(isTrusted: true))
    }

    @Test func belongToAPeerThatHasShownOne() {
        var peer = ServerRequest.Peer(address: "127.0.0.1", isLoopback: true, isEncrypted: true)
        #expect(peer.clientCertificate == nil)
        let same = peer
        peer.clientCertificate = certificate()
        #expect(peer != same)
        #expect(peer.clientCertificate?.subjectAlternativeNames == [.dns("a.test")])
        #expect(ClientCertificate.AlternativeName.dns("a") != .uri("a"))
    }

    @Test func aThumbprintIsADigest() async {
        await #expect(processExitsWith: .failure) {
            _ = ClientCertificate(der: [], sha256Thumbprint: [1], publicKeyInfo: [], subject: "", isTrusted: false)
        }
    }
}
