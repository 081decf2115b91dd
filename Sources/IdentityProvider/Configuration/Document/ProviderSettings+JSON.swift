import OAuth
import Primitives

extension ProviderSettings {
    /// A configuration file that says the same, every default included and every secret left out.
    package var json: JSONObject {
        var object = ConfigurationMember.rootOnly.json(of: root)
        for (name, value) in root.documentJSON { object[name] = value }
        guard !tenants.isEmpty else { return object }
        var all = JSONObject()
        for (name, configuration) in tenants.sorted(by: { $0.key.text < $1.key.text }) {
            all[name.text] = .object(configuration.documentJSON)
        }
        object["tenants"] = .object(all)
        return object
    }
}

extension ProviderConfiguration {
    fileprivate var documentJSON: JSONObject {
        var object = ConfigurationMember.policies.json(of: self)
        object["users"] = .array(users.map { .object($0.documentJSON) })
        object["clients"] = .array(clients.map { .object($0.documentJSON(with: legacy)) })
        return object
    }
}

extension User {
    fileprivate var documentJSON: JSONObject {
        var object: JSONObject = ["username": .string(username), "id": .string(id)]
        if password != nil { object["password"] = .string(ConfigurationShape.redacted) }
        object["claims"] = .object(claims)
        return object
    }
}

extension Client {
    /// Grants and response types as far as the provider lets clients use them.
    fileprivate func documentJSON(with legacy: Set<LegacyFeature>) -> JSONObject {
        var metadata = metadata
        metadata.grants.formIntersection(StandardClients.everyGrant(with: legacy))
        metadata.responseTypes.formIntersection(StandardClients.everyResponseType(with: legacy))
        var object: JSONObject = ["client_id": .string(id)]
        if secret != nil { object["client_secret"] = .string(ConfigurationShape.redacted) }
        for (name, value) in metadata.json { object[name] = value }
        return object
    }
}
