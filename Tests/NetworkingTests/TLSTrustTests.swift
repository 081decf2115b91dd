import Foundation
import HTTPMessages
import Networking
import Primitives
import TestSupport
import Testing

/// Whose certificate a client accepts (RFC 9525, RFC 5280 section 6).
@Suite struct TLSTrustTests {
    let directory: TemporaryDirectory
    let group: EventLoopGroup

    init() throws {
        directory = try TemporaryDirectory()
        group = try EventLoopGroup(count: 1)
    }

    /// What a client hears that asks `host` for a certificate and trusts `authority`; `nil` when it is content.
    private func refusal(of context: TLSServerContext, as host: String, trusting authority: String) async throws
        -> NetworkingError?
    {
        let trust = try TLSClientContext(trust: .authorities(file: authority))
        return try await withServer(listen: TLSTests.listener(context)) { server in
            let client = HTTPClient(group: group, configuration: ClientConfiguration(tls: trust))
            let request = HTTPRequest(method: .get, scheme: "https", authority: host, path: "/")
            do throws(NetworkingError) {
                _ = try await client.send(request, to: server.address)
                return nil
            } catch {
                return error
            }
        }
    }

    /// A certificate that is its own authority.
    private func certificate(commonName: String, names: String?) async throws -> (TLSServerContext, String) {
        let path = directory.path("one")
        let extensions = names.map { ["-addext", "subjectAltName=\($0)"] } ?? []
        let made = try await run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                path + ".key", "-out", path + ".cert", "-days", "2", "-subj", "/CN=\(commonName)",
            ] + extensions)
        #expect(made.status == 0, "\(made.output)")
        return (try TLSServerContext(.files(certificate: path + ".cert", key: path + ".key")), path + ".cert")
    }

    /// RFC 9525 section 2: names are in the subject alternative name. The common name is no place for them.
    @Test(arguments: ["localhost", "pawl.test"])
    func refusesANameThatIsInTheCommonNameOnly(_ host: String) async throws {
        for names in [nil, "email:a@pawl.test", "IP:127.0.0.1"] {
            let (context, authority) = try await certificate(commonName: host, names: names)
            let error = try await refusal(of: context, as: host, trusting: authority)
            #expect(error?.kind == .tls, "\(names ?? "none")")
            #expect(error?.description.contains("hostname mismatch") == true)
        }
    }

    @Test func refusesAnAddressThatIsInTheCommonNameOnly() async throws {
        let (context, authority) = try await certificate(commonName: "127.0.0.1", names: "DNS:127.0.0.1")
        #expect(try await refusal(of: context, as: "127.0.0.1", trusting: authority)?.kind == .tls)
    }

    /// RFC 9525 section 6.3: a wildcard stands for one whole label, the leftmost.
    @Test(arguments: [
        ("*.pawl.test", "a.pawl.test", true), ("*.pawl.test", "A.Pawl.TEST", true),
        ("*.pawl.test", "pawl.test", false), ("*.pawl.test", "a.b.pawl.test", false),
        ("a*.pawl.test", "ab.pawl.test", false), ("a.*.test", "a.b.test", false),
        ("a.pawl.test", "a.pawl.test", true), ("a.pawl.test", "b.pawl.test", false),
        ("a.pawl.test", "a.pawl.test.example", false), ("a.pawl.test", "a.pawl.tes", false),
    ])
    func comparesNames(_ name: String, _ host: String, _ isAccepted: Bool) async throws {
        let (context, authority) = try await certificate(commonName: host, names: "DNS:\(name)")
        let error = try await refusal(of: context, as: host, trusting: authority)
        #expect(error?.kind == (isAccepted ? nil : .tls))
    }

    @Test(arguments: [(-400, "expired"), (20, "not yet valid")])
    func refusesACertificateOutOfItsTime(_ days: Int, _ reason: String) async throws {
        let clock = ManualClock(startingAt: SystemWallClock().now() + .seconds(days * 86_400))
        let context = try TLSServerContext(.automatic(directory: directory.path("tls")), clock: clock)
        let authority = try #require(context.localAuthority).authorityPath
        let error = try await refusal(of: context, as: "localhost", trusting: authority)
        #expect(error?.kind == .tls)
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func refusesAnAuthorityThatItDoesNotTrust() async throws {
        let (context, _) = try await certificate(commonName: "localhost", names: "DNS:localhost")
        let (other, _) = try TLSTests.automatic()
        let error = try await refusal(of: context, as: "localhost", trusting: other.path("tls/ca.pem"))
        #expect(error?.kind == .tls)
        #expect(error?.description.contains("certificate refused") == true)
    }
}
