import HTTPMessages
import JOSE
import OAuth
import Primitives

/// What can be changed while the provider runs.
struct SettingsControl: ControlResource {
    let context: ProviderContext

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/settings", .control("getSettings", "The settings.").answeringJSON(.reference("Settings")),
                { _ in .json(Self.json(of: context.configuration)) }),
            ControlRoute(
                .patch, "/settings",
                .control(
                    "changeSettings", "Change some of them: all that are given, or none.",
                    details:
                        "What is left out stays. It holds from the next request on; tokens that are out keep their time."
                ).takingJSON(.reference("Settings")).answeringJSON(.reference("Settings")), change),
        ]
    }

    private func change(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let body = try request.body()
        // Keys are made before anybody needs them, and not within a change, which holds a lock.
        var wanted = context.configuration
        try Self.apply(body, to: &wanted)
        do { try await context.prepareKeys(for: wanted.algorithms) } catch {
            throw ControlError(OAuthError(.serverError, "a key could not be made", cause: "\(error)"))
        }
        var refusal: ControlError?
        do throws(ProviderConfigurationError) {
            try context.configure { configuration throws(ProviderConfigurationError) in
                do throws(ControlError) { try Self.apply(body, to: &configuration) } catch { refusal = error }
            }
        } catch {
            throw .invalid(nil, error.description)
        }
        if let refusal { throw refusal }
        return .json(Self.json(of: context.configuration))
    }

    /// All that the body says, or, when something in it is wrong, nothing.
    static func apply(_ body: ControlMembers, to configuration: inout ProviderConfiguration) throws(ControlError) {
        var changed = configuration
        try body.allow(names(in: nil) + groups)
        for setting in Setting.all where setting.group == nil && body.object[setting.name] != nil {
            try setting.read(body, setting.name, &changed)
        }
        for group in groups where body.object[group] != nil {
            guard let members = try body.members(group) else { throw Setting.missing(body, group) }
            try members.allow(names(in: group))
            for setting in Setting.all where setting.group == group && members.object[setting.name] != nil {
                try setting.read(members, setting.name, &changed)
            }
        }
        do { try changed.check() } catch { throw .invalid(nil, error.description) }
        configuration = changed
    }

    private static let groups: [String] = {
        var groups: [String] = []
        for case let group? in Setting.all.map(\.group) where !groups.contains(group) { groups.append(group) }
        return groups
    }()

    private static func names(in group: String?) -> [String] {
        Setting.all.filter { $0.group == group }.map(\.name)
    }

    static func json(of configuration: ProviderConfiguration) -> JSON {
        var object = JSONObject()
        for setting in Setting.all {
            guard let group = setting.group else {
                object[setting.name] = setting.write(configuration)
                continue
            }
            var members = object[group]?.object ?? [:]
            members[setting.name] = setting.write(configuration)
            object[group] = .object(members)
        }
        return .object(object)
    }

    static let schema: Schema = {
        let direct = Setting.all.filter { $0.group == nil }.map { (name: $0.name, schema: $0.schema) }
        let grouped = groups.map { group in
            let members = Setting.all.filter { $0.group == group }.map { (name: $0.name, schema: $0.schema) }
            return (name: group, schema: Schema.object(members))
        }
        return .object(grouped + direct)
    }()
}
