import IdentityProvider
import JOSE
import Networking
import Primitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A configuration file, and the secrets that it refers to.
struct ConfigurationFile: Sendable {
    /// As it was given; `-` is standard input.
    let name: String
    let bytes: [UInt8]

    /// Bytes of a file that holds one secret.
    private static let greatestSecretBytes = 64 << 10

    init(_ name: String) throws(CommandFailure) {
        self.name = name
        do throws(FileError) {
            bytes = try FileSystem.read(name, limit: ConfigurationReader.limits.bytes + 1)
        } catch {
            throw error.failure
        }
    }

    /// What a person is told of the file.
    var shownName: String { name == "-" ? "standard input" : name }

    /// Where files are whose names in it are relative.
    var directory: String { name == "-" ? "." : FileSystem.directory(of: name) }

    /// Where a file is that this one names.
    func path(of name: String) -> String { name.hasPrefix("/") ? name : "\(directory)/\(name)" }

    /// Finds what the file refers to.
    var secrets: SecretResolver { Self.secrets(besides: path(of:)) }

    /// Finds secrets where nothing but options refers to any: files by the directory where the program runs.
    static let secretsOfOptions: SecretResolver = secrets { $0 }

    private static func secrets(besides path: @escaping @Sendable (_ name: String) -> String) -> SecretResolver {
        return { (reference: SecretReference) throws(SecretReferenceError) in
            switch reference {
            case .environment(let name):
                guard let value = getenv(name) else { throw SecretReferenceError("the variable \(name) is not set") }
                return Secret(UnsafeRawBufferPointer(start: value, count: strlen(value)))
            case .file(let name):
                return try secret(in: path(name))
            }
        }
    }

    /// Why a server would refuse a file of authorities that this one names.
    func problem(ofAuthorities name: String) -> String? {
        do throws(NetworkingError) {
            _ = try TLSClientContext(trust: .authorities(file: path(of: name)))
            return nil
        } catch {
            return error.description
        }
    }

    /// Stands in for secrets where it does not matter what they are.
    static let noSecrets: SecretResolver = { _ in Secret(utf8: String(repeating: "x", count: 64)) }

    /// The content of a file without the line break at its end, which editors put there.
    static func secret(in path: String) throws(SecretReferenceError) -> Secret {
        var bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileSystem.read(path, limit: greatestSecretBytes)
        } catch {
            throw SecretReferenceError(error.description)
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return Secret(bytes)
    }

    /// What holds where nobody says anything.
    static func standard() throws(CommandFailure) -> ProviderConfiguration {
        do throws(ProviderConfigurationError) {
            return ProviderConfiguration(
                clients: try StandardClients.all(), users: try StandardUsers.all(),
                accessTokens: AccessTokenPolicy(algorithm: KeysCommand.standardAlgorithm))
        } catch {
            throw .badInput(error.description)
        }
    }
}
