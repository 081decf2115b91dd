import JOSE
import OAuth
import Primitives

/// Reads a configuration file: JSON in, settings out, or everything that is wrong with it and where.
///
///     var reader = ConfigurationReader(resolvingSecrets: { reference in … })
///     let settings = try reader.read(bytes, over: ProviderConfiguration(…))
///
/// What the file does not say stays as it is in the configuration that it is read over.
package struct ConfigurationReader: Sendable {
    private let resolve: SecretResolver
    /// Changes what the file says about the root, before clients are judged by it: for options, which count more.
    package var adjustPolicies: @Sendable (inout ProviderConfiguration, _ document: JSONObject) -> Void = { _, _ in }
    /// What is wrong with the file of authorities that the configuration names; `nil`: nothing. This module reads no files.
    package var problemOfAuthorities: @Sendable (_ name: String) -> String? = { _ in nil }
    /// Changes users and clients of the root, before tenants take them over.
    package var adjustPeople: @Sendable (inout ProviderConfiguration, _ document: JSONObject) -> Void = { _, _ in }

    package init(resolvingSecrets resolve: @escaping SecretResolver) {
        self.resolve = resolve
    }

    /// How much a file may ask of its reader: 8 MiB, 32 deep, 10 000 members and elements.
    package static let limits = JSONLimits(bytes: 8 << 20, depth: 32)

    package func read(
        _ text: [UInt8], over base: ProviderConfiguration
    ) throws(ConfigurationError) -> ProviderSettings {
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: text.span, limits: Self.limits) } catch {
            throw ConfigurationError(error, in: text.span, limits: Self.limits)
        }
        var reading = ConfigurationReading(resolve: resolve)
        ConfigurationShape.document.check(json, at: .root, into: &reading.problems)
        let settings = read(json.object ?? [:], over: base, &reading)
        guard reading.problems.isEmpty else {
            throw ConfigurationError(reading.problems, in: text.span, limits: Self.limits)
        }
        return settings
    }

    /// The settings without any file: what was handed in, and the adjustments.
    package func settings(over base: ProviderConfiguration) -> ProviderSettings {
        var reading = ConfigurationReading(resolve: resolve)
        return read([:], over: base, &reading)
    }

    private func read(
        _ document: JSONObject, over base: ProviderConfiguration, _ reading: inout ConfigurationReading
    ) -> ProviderSettings {
        var root = base
        ConfigurationMember.rootOnly.read(document, at: .root, &reading, into: &root)
        if let name = document["outbound_ca"]?.string, !name.isEmpty, let problem = problemOfAuthorities(name) {
            reading.problems.add(problem, at: .root["outbound_ca"])
        }
        readPolicies(document, at: .root, &reading, into: &root)
        adjustPolicies(&root, document)
        reading.readPeople(document, at: .root, into: &root)
        adjustPeople(&root, document)
        var settings = ProviderSettings(root: root)
        for (name, value) in document["tenants"]?.object ?? [:] {
            guard let object = value.object, let tenant = TenantName(name) else { continue }
            var configuration = root
            let path = JSONPath.root["tenants"][name]
            readPolicies(object, at: path, &reading, into: &configuration)
            reading.readPeople(object, at: path, into: &configuration)
            settings.tenants[tenant] = configuration
        }
        return settings
    }

    private func readPolicies(
        _ object: JSONObject, at path: JSONPath, _ reading: inout ConfigurationReading,
        into configuration: inout ProviderConfiguration
    ) {
        ConfigurationMember.policies.read(object, at: path, &reading, into: &configuration)
    }
}
