import Foundation
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport

/// Configuration files as tests read them: the standard users and clients are there, and secrets that are kept elsewhere
/// are named after where they are.
enum ConfigurationUnderTest {
    static func base() throws -> ProviderConfiguration {
        ProviderConfiguration(
            clients: try StandardClients.all(), users: try StandardUsers.all(),
            accessTokens: AccessTokenPolicy(algorithm: .rs256))
    }

    static let resolver: SecretResolver = { (reference: SecretReference) throws(SecretReferenceError) in
        switch reference {
        case .environment("UNSET"): throw SecretReferenceError("the variable UNSET is not set")
        case .environment(let name): return Secret(utf8: name == "EMPTY" ? "" : "env-\(name)-of-the-test")
        case .file("latin"): return Secret([0xE9])
        case .file(let name): return Secret(utf8: "file:\(name)")
        }
    }

    static func settings(_ text: String) throws -> ProviderSettings { try settings(Array(text.utf8)) }

    static func settings(_ bytes: [UInt8]) throws -> ProviderSettings {
        try ConfigurationReader(resolvingSecrets: resolver).read(bytes, over: base())
    }

    /// A line for each thing that is wrong.
    static func errors(_ text: String) throws -> [String] { try errors(Array(text.utf8)) }

    static func errors(_ bytes: [UInt8]) throws -> [String] { try error(bytes)?.lines(naming: "c") ?? [] }

    static func error(_ bytes: [UInt8]) throws -> ConfigurationError? {
        let base = try base()
        do throws(ConfigurationError) {
            _ = try ConfigurationReader(resolvingSecrets: resolver).read(bytes, over: base)
            return nil
        } catch {
            return error
        }
    }

    static let examples = ["first", "standard-and-more", "claims", "tenants", "legacy", "secrets", "complete"]

    static func example(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Repository.fixture("configurations/\(name).json")))
    }
}
