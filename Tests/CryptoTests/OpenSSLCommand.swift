import Foundation
import TestSupport

/// The `openssl` command: an implementation of everything here that goes its own way to the same library.
enum OpenSSLCommand {
    static let path: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static let isMissing = "the openssl command is not installed"

    static func run(_ arguments: [String]) async throws -> ProcessRunner.Result {
        try await ProcessRunner.run(URL(filePath: path!), arguments)
    }
}
