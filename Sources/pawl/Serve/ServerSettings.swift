import IdentityProvider
import OAuth
import Primitives
import Synchronization

/// What a server runs with: its options, over those of the environment, over the configuration file, over the defaults.
/// Read anew at SIGHUP.
final class ServerSettings: Sendable {
    private let settings: Mutex<ProviderSettings>
    private let arguments: Arguments
    /// Where client certificates are asked for: known once the listeners are bound.
    private let certificatePort = Mutex<UInt16?>(nil)

    init(_ invocation: Invocation) throws(CommandFailure) {
        arguments = invocation.arguments
        do throws(SettingsFailure) { settings = Mutex(try Self.read(invocation.arguments)) } catch {
            for line in error.lines { invocation.console.complain(line) }
            throw error.failure
        }
    }

    /// What holds now.
    var current: ProviderSettings { settings.withLock { $0 } }

    /// With what a tenant is made.
    func configuration(of tenant: TenantName) -> ProviderConfiguration {
        var configuration = current.configuration(of: tenant)
        configuration.mutualTLSPort = certificatePort.withLock { $0 }
        return configuration
    }

    /// Lets the provider say where it asks for client certificates (RFC 8705 section 5).
    func announceCertificatePort(_ port: UInt16, at provider: IdentityProvider) throws(CommandFailure) {
        certificatePort.withLock { $0 = port }
        do throws(ProviderConfigurationError) {
            try provider.root.context.configure { $0.mutualTLSPort = port }
        } catch {
            throw .usage(error.description)
        }
    }

    /// What the file says now. Nothing holds yet of what it says.
    func readAgain() throws(SettingsFailure) -> ProviderSettings { try Self.read(arguments) }

    func replace(by new: ProviderSettings) { settings.withLock { $0 = new } }

    private static func read(_ arguments: Arguments) throws(SettingsFailure) -> ProviderSettings {
        let (reader, base, file) = try SettingsFailure.wrapping { () throws(CommandFailure) in
            try prepare(arguments)
        }
        guard let file else { return reader.settings(over: base) }
        do throws(ConfigurationError) { return try reader.read(file.bytes, over: base) } catch {
            throw SettingsFailure(lines: error.lines(naming: file.shownName), failure: .badInput(""))
        }
    }

    private static func prepare(
        _ arguments: Arguments
    ) throws(CommandFailure) -> (ConfigurationReader, ProviderConfiguration, ConfigurationFile?) {
        let people = OptionPeople(users: arguments[UserOptions.user].map(\.user), clients: try Clients.read(arguments))
        let policies = try OptionPolicies(arguments)
        let file = try arguments[UserOptions.configuration].map { (name) throws(CommandFailure) in
            try ConfigurationFile(name)
        }
        var reader = ConfigurationReader(resolvingSecrets: file?.secrets ?? ConfigurationFile.noSecrets)
        reader.adjustPolicies = { policies.adjust(&$0, over: $1) }
        reader.adjustPeople = { people.adjust(&$0, over: $1) }
        return (reader, try ConfigurationFile.standard(), file)
    }
}

/// Why there are no settings.
struct SettingsFailure: Error {
    /// What is wrong with the configuration file, each with its place.
    let lines: [String]
    let failure: CommandFailure

    static func wrapping<Result>(_ body: () throws(CommandFailure) -> Result) throws(SettingsFailure) -> Result {
        do throws(CommandFailure) { return try body() } catch { throw SettingsFailure(lines: [], failure: error) }
    }
}
