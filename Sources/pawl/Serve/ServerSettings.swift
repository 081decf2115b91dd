import IdentityProvider
import OAuth
import Primitives
import Synchronization

/// What a server runs with: its options, over those of the environment, over the configuration file, over the defaults.
/// Read anew at SIGHUP.
final class ServerSettings: Sendable {
    private let settings: Mutex<ProviderSettings>
    private let arguments: Arguments
    private let entrances = Mutex<Entrances?>(nil)

    /// Where client certificates are asked for, and where everybody else goes: known once the listeners are bound.
    private struct Entrances: Sendable {
        let certificates: UInt16
        let ordinary: OrdinaryEntrance?

        func tell(_ configuration: inout ProviderConfiguration) {
            configuration.mutualTLSPort = certificates
            configuration.ordinaryEntrance = ordinary
        }
    }

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
        entrances.withLock { $0 }?.tell(&configuration)
        return configuration
    }

    /// Lets the provider say where it asks for client certificates (RFC 8705 section 5).
    ///
    /// - Parameter ordinary: where everybody else goes, if there is such a place.
    func announceCertificatePort(
        _ port: UInt16, besides ordinary: OrdinaryEntrance?, at provider: IdentityProvider
    ) throws(CommandFailure) {
        let known = Entrances(certificates: port, ordinary: ordinary)
        entrances.withLock { $0 = known }
        do throws(ProviderConfigurationError) {
            try provider.root.context.configure { known.tell(&$0) }
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
        let settings: ProviderSettings
        if let file {
            do throws(ConfigurationError) { settings = try reader.read(file.bytes, over: base) } catch {
                throw SettingsFailure(lines: error.lines(naming: file.shownName), failure: .badInput(""))
            }
        } else {
            settings = reader.settings(over: base)
        }
        let changes = arguments[UserOptions.setting]
        guard !changes.isEmpty else { return settings }
        // The file is in order: what is wrong now came with an option, which has no line.
        let document = (file.flatMap { try? JSON(parsing: $0.bytes.span, limits: ConfigurationReader.limits) })?.object
        let whole = JSON.object(changes.reduce(document ?? [:]) { $1.put(into: $0) })
        do throws(ConfigurationError) { return try reader.read(whole.serialised(), over: base) } catch {
            throw SettingsFailure(lines: error.lines(naming: "--set", hasLines: false), failure: .usage(""))
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
        var reader = ConfigurationReader(resolvingSecrets: file?.secrets ?? ConfigurationFile.secretsOfOptions)
        reader.adjustPolicies = { configuration, document in
            if let file, let name = configuration.outboundAuthorities {
                configuration.outboundAuthorities = file.path(of: name)
            }
            policies.adjust(&configuration, over: document)
        }
        reader.adjustPeople = { people.adjust(&$0, over: $1) }
        return (reader, try ConfigurationFile.standard(), file)
    }
}

/// Why there are no settings.
struct SettingsFailure: Error {
    /// What is wrong with the configuration file, each with its place, or with members that options set.
    let lines: [String]
    let failure: CommandFailure

    static func wrapping<Result>(_ body: () throws(CommandFailure) -> Result) throws(SettingsFailure) -> Result {
        do throws(CommandFailure) { return try body() } catch { throw SettingsFailure(lines: [], failure: error) }
    }
}
