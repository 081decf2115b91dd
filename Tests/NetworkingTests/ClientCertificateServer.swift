import Foundation
import HTTPMessages
import Networking
import Primitives
import TestSupport
import Testing

/// What a server has seen of a client's certificate: its handler says so in the response.
struct SeenCertificate: Codable, Equatable {
    var der: String
    var thumbprint: String
    var publicKeyInfo: String
    var subject: String
    var names: [String]
    var isTrusted: Bool

    init(_ certificate: ClientCertificate) {
        der = Data(certificate.der).base64EncodedString()
        thumbprint = certificate.sha256Thumbprint.map { String(format: "%02X", $0) }.joined(separator: ":")
        publicKeyInfo = Data(certificate.publicKeyInfo).base64EncodedString()
        subject = certificate.subject
        names = certificate.subjectAlternativeNames.map { "\($0)" }
        isTrusted = certificate.isTrusted
    }

    /// One line, between marks that nothing else has.
    static let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
        let seen = request.peer.clientCertificate.map(SeenCertificate.init)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let text = seen.flatMap { try? encoder.encode($0) }.map { String(decoding: $0, as: UTF8.self) } ?? "none"
        return ServerResponse(status: .ok, body: .bytes(Array("<<\(text)>>\n".utf8)))
    }

    /// What the answers say, in their order; `nil` for no certificate.
    static func all(in output: String) throws -> [SeenCertificate?] {
        try output.matches(of: /<<(.*)>>/).map { match in
            match.1 == "none" ? nil : try JSONDecoder().decode(SeenCertificate.self, from: Data(match.1.utf8))
        }
    }
}

extension ClientCertificateFiles {
    /// A context with a certificate of its own that asks clients for one.
    func context(
        _ clientCertificates: TLSClientCertificates, clock: any WallClock = SystemWallClock()
    ) async throws -> TLSServerContext {
        let name = "server"
        if !FileManager.default.fileExists(atPath: directory.path("server.cert")) {
            _ = try await selfSigned(name, subject: "/CN=localhost", extensions: ["subjectAltName=DNS:localhost"])
        }
        return try TLSServerContext(
            .files(certificate: directory.path("server.cert"), key: directory.path("server.key")),
            clientCertificates: clientCertificates, clock: clock)
    }

    /// Sends a request with `openssl s_client`.
    func connect(to server: TestServer, _ options: [String]) async throws -> ProgramResult {
        try await connect(to: "\(server.address)", options)
    }

    func connect(to address: String, _ options: [String]) async throws -> ProgramResult {
        try await run(
            "openssl", ["s_client", "-connect", address, "-ign_eof"] + options,
            input: "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    }

    /// What a server that trusts `authorities` sees of a certificate.
    func seen(
        _ options: [String], authorities: String? = nil, clock: any WallClock = SystemWallClock()
    ) async throws -> SeenCertificate? {
        let context = try await context(.optional(authorities: authorities), clock: clock)
        return try await withServer(listen: TLSTests.listener(context), answer: SeenCertificate.answer) { server in
            let result = try await connect(to: server, options)
            return try #require(try SeenCertificate.all(in: result.output).first, "\(result.output)")
        }
    }
}
