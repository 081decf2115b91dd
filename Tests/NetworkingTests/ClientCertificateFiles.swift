import Foundation
import TestSupport
import Testing

/// Certificates that a test makes with the `openssl` command, in a directory of its own.
struct ClientCertificateFiles: Sendable {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Where a certificate and its key are.
    struct Pair: Sendable {
        let certificate: String
        let key: String

        var clientOptions: [String] { ["-cert", certificate, "-key", key] }
    }

    static let elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]

    /// One that signs itself. `sections` is what a configuration file says; `extensions` names a section of it.
    func selfSigned(
        _ name: String, key: [String] = elliptic, subject: String = "/CN=client", extensions: [String] = [],
        sections: String = "", section: String? = nil
    ) async throws -> Pair {
        let pair = Pair(certificate: directory.path(name + ".cert"), key: directory.path(name + ".key"))
        let configuration = directory.path(name + ".cnf")
        try Data("[req]\ndistinguished_name=dn\n[dn]\n\(sections)\n".utf8).write(to: URL(filePath: configuration))
        try await openssl(
            ["req", "-x509", "-nodes", "-utf8", "-days", "2", "-config", configuration, "-subj", subject]
                + ["-keyout", pair.key, "-out", pair.certificate] + key
                + extensions.flatMap { ["-addext", $0] } + (section.map { ["-extensions", $0] } ?? []))
        return pair
    }

    func authority(_ name: String) async throws -> Pair {
        try await selfSigned(
            name, subject: "/CN=\(name)",
            extensions: ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"])
    }

    /// One that `issuer` vouches for.
    func issued(_ name: String, by issuer: Pair, extensions: String = "extendedKeyUsage=clientAuth") async throws
        -> Pair
    {
        let pair = Pair(certificate: directory.path(name + ".cert"), key: directory.path(name + ".key"))
        let (request, more) = (directory.path(name + ".csr"), directory.path(name + ".ext"))
        try Data("\(extensions)\n".utf8).write(to: URL(filePath: more))
        try await openssl(
            ["req", "-new", "-nodes", "-subj", "/O=Pawl/CN=\(name)", "-keyout", pair.key, "-out", request]
                + Self.elliptic)
        try await openssl([
            "x509", "-req", "-in", request, "-CA", issuer.certificate, "-CAkey", issuer.key, "-days", "2", "-extfile",
            more,
            "-out", pair.certificate,
        ])
        return pair
    }

    /// The files one after the other.
    func joined(_ name: String, _ files: [String]) throws -> String {
        let all = try files.reduce(into: Data()) { $0 += try Data(contentsOf: URL(filePath: $1)) }
        try all.write(to: URL(filePath: directory.path(name)))
        return directory.path(name)
    }

    /// Puts other bytes of the same length in their place. The signature is wrong then, which matters to nobody who does
    /// not ask for it.
    func replace(_ bytes: [UInt8], by others: [UInt8], in pair: Pair) async throws {
        let file = directory.path("patched.der")
        try await openssl(["x509", "-in", pair.certificate, "-outform", "DER", "-out", file])
        var der = Array(try Data(contentsOf: URL(filePath: file)))
        while let range = der.firstRange(of: bytes) { der.replaceSubrange(range, with: others) }
        try Data(der).write(to: URL(filePath: file))
        try await openssl(["x509", "-inform", "DER", "-in", file, "-out", pair.certificate])
    }

    /// What the command says of a certificate, without the line's end.
    func describe(_ pair: Pair, _ options: [String]) async throws -> String {
        let result = try await openssl(["x509", "-in", pair.certificate, "-noout"] + options)
        return result.output.trimmingCharacters(in: .newlines)
    }

    /// The part of the bytes between the lines of a PEM text.
    static func content(ofPEM text: String) -> String {
        text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
    }

    @discardableResult
    private func openssl(_ arguments: [String]) async throws -> ProgramResult {
        let result = try await run("openssl", arguments)
        try #require(result.status == 0, "\(arguments): \(result.output)")
        return result
    }
}
