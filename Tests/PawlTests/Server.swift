import Foundation
import TestSupport

/// A server that a test has started as a user would, with what it says of itself.
final class Server: Sendable {
    struct Address: Sendable {
        let url: String
        let port: Int?
        let isEncrypted: Bool
        let asksForCertificate: Bool
    }

    let process: RunningProcess
    let addresses: [Address]
    /// The directory of its files: keys, authority, socket.
    let directory: TemporaryDirectory

    struct NotStarted: Error {
        let errors: String
    }

    /// Listens on a free port, unless the arguments say where.
    ///
    /// - Parameter algorithm: what tokens are signed with, unless the arguments or a configuration say; `nil`: as for a user who says
    ///   nothing. An RSA key takes a quarter of a second of work, and several hundred servers are started.
    init(
        _ arguments: [String] = [], in directory: TemporaryDirectory? = nil, environment: [String: String] = [:],
        algorithm: String? = "ES256"
    ) async throws {
        let listens = arguments.contains("--listen") || arguments.contains("--no-http")
        var variables = ProcessRunner.environment
        // It would count more than what a configuration says.
        if !arguments.contains("--config"), environment["PAWL_CONFIG"] == nil { variables["PAWL_ALG"] = algorithm }
        self.directory = try directory ?? TemporaryDirectory()
        process = try RunningProcess(
            Pawl.executable, ["serve", "--json"] + (listens ? [] : ["--listen", "127.0.0.1:0"]) + arguments,
            environment: variables.merging(environment) { $1 })
        guard let line = await process.output.first(where: { $0.hasPrefix("{") }),
            let report = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let addresses = report["addresses"] as? [[String: Any]]
        else { throw NotStarted(errors: process.errors.text) }
        self.addresses = addresses.map { address in
            Address(
                url: address["url"] as? String ?? "", port: address["port"] as? Int,
                isEncrypted: address["encrypted"] as? Bool ?? false,
                asksForCertificate: address["client_certificates"] as? Bool ?? false)
        }
    }

    var url: String { addresses[0].url }

    /// What curl gets; the status stands alone on the last line.
    func curl(_ path: String, _ arguments: [String] = [], url: String? = nil) async throws -> Answer {
        guard let curl = ProcessRunner.find("curl") else { throw CocoaError(.fileNoSuchFile) }
        let result = try await ProcessRunner.run(
            curl,
            ["--silent", "--show-error", "--max-time", "20", "--write-out", "\n%{http_code}"] + arguments
                + [(url ?? self.url) + path])
        let parts = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        return Answer(
            exitCode: result.exitCode, status: parts.last.flatMap { Int($0) } ?? 0,
            body: parts.dropLast().joined(separator: "\n"), errors: result.errors)
    }

    struct Answer {
        let exitCode: Int32
        let status: Int
        let body: String
        let errors: String

        func object() throws -> [String: Any] {
            guard let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any] else {
                throw CocoaError(.coderReadCorrupt)
            }
            return object
        }
    }

    /// Asks for a token as the client that is there by itself.
    func token(_ arguments: [String] = [], url: String? = nil) async throws -> String {
        let answer = try await curl(
            "/token", ["-u", "service:secret", "-d", "grant_type=client_credentials"] + arguments, url: url)
        guard let token = try answer.object()["access_token"] as? String else { throw CocoaError(.coderValueNotFound) }
        return token
    }

    func keyIDs() async throws -> [String] {
        let keys = try await curl("/jwks.json").object()["keys"] as? [[String: Any]] ?? []
        return keys.compactMap { $0["kid"] as? String }
    }

    /// Ends it in good order.
    func stop() async -> Int32 {
        process.send(SIGTERM)
        return await process.waitForExit()
    }
}
