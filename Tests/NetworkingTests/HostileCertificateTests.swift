import Foundation
import HTTPMessages
import Networking
import TestSupport
import Testing

/// Certificates that are made to do harm. Whoever shows one holds its key, and nothing else is known of him.
@Suite struct HostileCertificateTests {
    let files: ClientCertificateFiles

    init() throws {
        files = try ClientCertificateFiles()
    }

    /// The names of a certificate with these in its extension, written as DER of their own.
    private func names(_ entries: [String]) async throws -> [String] {
        let lines = entries.enumerated().map { "n\($0.offset)=\($0.element)" }.joined(separator: "\n")
        let pair = try await files.selfSigned(
            "client", sections: "[more]\n2.5.29.17=ASN1:SEQUENCE:names\n[names]\n\(lines)", section: "more")
        return try #require(try await files.seen(pair.clientOptions)).names
    }

    private func entry(_ tag: Int, _ bytes: [UInt8]) -> String {
        bytes.isEmpty
            ? "IMPLICIT:\(tag),OCTETSTRING:"
            : "IMPLICIT:\(tag),FORMAT:HEX,OCTETSTRING:" + bytes.map { String(format: "%02X", $0) }.joined()
    }

    /// The name before a zero byte is somebody else's.
    @Test(arguments: [1, 2, 6])
    func leavesOutNamesThatAreNotVisibleASCII(tag: Int) async throws {
        let kind = [1: "email", 2: "dns", 6: "uri"][tag]!
        let bad: [[UInt8]] = [
            Array("bank.test\0.evil.test".utf8), Array("bank.test\0".utf8), [0], Array("b\u{E4}nk.test".utf8),
            [0xFF, 0xFE], Array("bank test".utf8), Array("bank.test\r\n".utf8), [0x7F], [],
        ]
        let good = Array("good.test".utf8)
        #expect(try await names((bad + [good]).map { entry(tag, $0) }) == [#"\#(kind)("good.test")"#])
    }

    @Test func leavesOutAddressesOfNoLength() async throws {
        let lengths = [0, 1, 3, 5, 8, 15, 17, 32]
        let entries = lengths.map { entry(7, [UInt8](repeating: 1, count: $0)) } + [entry(7, [192, 0, 2, 9])]
        #expect(try await names(entries) == [#"ip("192.0.2.9")"#])
    }

    @Test func looksAtSoManyNamesAndNoMore() async throws {
        let many = (0..<400).map { "DNS:n\($0).test" }.joined(separator: ",")
        let pair = try await files.selfSigned("client", extensions: ["subjectAltName=\(many)"])
        let seen = try #require(try await files.seen(pair.clientOptions))
        #expect(seen.names == (0..<ClientCertificate.alternativeNameLimit).map { #"dns("n\#($0).test")"# })
    }

    /// RFC 5280 section 4.2: no extension twice. Which of the two would be meant?
    @Test func takesNoNamesFromTwoLists() async throws {
        let pair = try await files.selfSigned(
            "client", extensions: ["subjectAltName=DNS:one.test", "issuerAltName=DNS:two.test"])
        #expect(try #require(try await files.seen(pair.clientOptions)).names == [#"dns("one.test")"#])
        // The second is made one of the first's kind: 2.5.29.18 becomes 2.5.29.17.
        try await files.replace([0x55, 0x1D, 0x12], by: [0x55, 0x1D, 0x11], in: pair)
        let text = try await files.describe(pair, ["-text"])
        #expect(text.matches(of: /Subject Alternative Name/).count == 2)
        let seen = try #require(try await files.seen(pair.clientOptions))
        #expect(seen.names == [])
    }

    @Test func takesNoNamesFromWhatIsNoList() async throws {
        let pair = try await files.selfSigned(
            "client", sections: "[more]\n2.5.29.17=DER:30:82:FF:FF:82:01:61", section: "more")
        #expect(try #require(try await files.seen(pair.clientOptions)).names == [])
    }

    /// What reads the text must not take the part before the zero byte for the whole.
    @Test func showsAZeroByteInASubject() async throws {
        let pair = try await files.selfSigned("client", subject: "/CN=bankZEROevil")
        try await files.replace(Array("bankZEROevil".utf8), by: Array("bank\0,O=evil".utf8), in: pair)
        let seen = try #require(try await files.seen(pair.clientOptions)).subject
        #expect(seen == #"CN=bank\00\,O=evil"#)
    }

    /// Commas and plus signs belong to the value, and do not begin another.
    @Test func aSubjectCannotPretendToHaveMoreParts() async throws {
        let pair = try await files.selfSigned("client", subject: #"/CN=a,O=Bank\+OU=x"#)
        let seen = try #require(try await files.seen(pair.clientOptions)).subject
        #expect(seen == #"CN=a\,O=Bank\+OU=x"#)
    }

    @Test func aCertificateWithoutASubjectIsNobodys() async throws {
        let pair = try await files.selfSigned("client", subject: "/")
        #expect(try #require(try await files.seen(pair.clientOptions)).subject == "")
    }

    /// One of more than `chainLimit` bytes is refused, and the next client is served.
    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func endsTheHandshakeForAHugeOne(version: String) async throws {
        let ordinary = try await files.selfSigned("ordinary")
        let comment = String(repeating: "x", count: TLSClientCertificates.chainLimit)
        let huge = try await files.selfSigned("huge", extensions: ["nsComment=\(comment)"])
        let others = try files.joined("others", [String](repeating: ordinary.certificate, count: 60))
        let context = try await files.context(.optional())
        try await withServer(listen: TLSTests.listener(context), answer: SeenCertificate.answer) { server in
            for (round, options) in [
                huge.clientOptions, ordinary.clientOptions + ["-cert_chain", others],
            ].enumerated() {
                let refused = try await files.connect(to: server, options + [version])
                #expect(try SeenCertificate.all(in: refused.output).isEmpty)
                try await server.wait { $0.failedHandshakes == round + 1 && $0.openConnections == 0 }
            }
            let served = try await files.connect(to: server, ordinary.clientOptions + [version])
            #expect(try SeenCertificate.all(in: served.output).count == 1)
            #expect(server.server.statistics.failedHandshakes == 2)
        }
    }

    /// As large as it may be: all of it arrives.
    @Test func takesALargeOne() async throws {
        let comment = String(repeating: "x", count: TLSClientCertificates.chainLimit - 2048)
        let large = try await files.selfSigned("large", extensions: ["nsComment=\(comment)"])
        let pem = try String(contentsOfFile: large.certificate, encoding: .utf8)
        let seen = try #require(try await files.seen(large.clientOptions))
        #expect(seen.der == ClientCertificateFiles.content(ofPEM: pem))
    }
}
