import JOSE
import OAuth
import Primitives

/// Users and clients of one provider.
extension ConfigurationReading {
    mutating func readPeople(
        _ object: JSONObject, at path: JSONPath, into configuration: inout ProviderConfiguration
    ) {
        if let users = object["users"]?.array { configuration.users = self.users(users, at: path["users"]) }
        configuration.takeStandardUsers(object["standard_users"]?.bool, isBeside: object.contains("users"))
        if let clients = object["clients"]?.array {
            let rules = ClientMetadataRules(.configuration, legacy: configuration.legacy)
            configuration.clients = self.clients(clients, by: rules, at: path["clients"])
        }
        configuration.takeStandardClients(object["standard_clients"]?.bool, isBeside: object.contains("clients"))
    }

    private mutating func users(_ elements: [JSON], at path: JSONPath) -> [User] {
        var users: [User] = []
        var usernames: Set<ExactText> = []
        var subjects: Set<ExactText> = []
        for (index, element) in elements.enumerated() {
            let path = path[index]
            guard let object = element.object, let user = user(object, at: path) else { continue }
            if !usernames.insert(ExactText(user.username)).inserted {
                problems.add("another user has this name", at: path["username"])
            }
            // Without one of its own, the name has been told of.
            if !subjects.insert(ExactText(user.id)).inserted, object.contains("id") {
                problems.add("another user has this subject", at: path["id"])
            }
            users.append(user)
        }
        return users
    }

    private mutating func user(_ object: JSONObject, at path: JSONPath) -> User? {
        let password = object["password"].flatMap { secret($0, at: path["password"]) }
        var told = ConfigurationProblems()
        ConfigurationShape.user.check(.object(object), at: path, into: &told)
        guard told.isEmpty, let username = object["username"]?.string else { return nil }
        do throws(ProviderConfigurationError) {
            return try User(
                username: username, id: object["id"]?.string, password: password,
                claims: object["claims"]?.object ?? [:])
        } catch {
            problems.add(error.description, at: path[object.contains("id") ? "id" : "username"])
            return nil
        }
    }

    private mutating func clients(
        _ elements: [JSON], by rules: ClientMetadataRules, at path: JSONPath
    ) -> [Client] {
        var clients: [Client] = []
        var identifiers: Set<ExactText> = []
        for (index, element) in elements.enumerated() {
            let path = path[index]
            guard let object = element.object else { continue }
            let client = client(object, by: rules, at: path)
            if let id = object["client_id"]?.string, !identifiers.insert(ExactText(id)).inserted {
                problems.add("another client has this identifier", at: path["client_id"])
            }
            if let client { clients.append(client) }
        }
        return clients
    }

    /// First every member by itself, so that all that is wrong is told at once; then what they mean together.
    private mutating func client(
        _ object: JSONObject, by rules: ClientMetadataRules, at path: JSONPath
    ) -> Client? {
        var told = ConfigurationProblems()
        ConfigurationShape.client.check(.object(object), at: path, into: &told)
        var isSound = told.isEmpty
        var members = object
        if let value = object["client_secret"] {
            let secret = text(of: value, at: path["client_secret"])
            if secret == nil { isSound = false }
            members["client_secret"] = secret.map { .string($0) }
        }
        members.writeLifetimesOfClientAsSeconds()
        var scratch = ClientMetadata()
        for member in ClientMetadataMember.all {
            guard let value = members[member.name], value != .null else { continue }
            let place = path[member.name]
            // A list is read element by element, so that each is told for itself.
            let elements = value.array.map { $0.enumerated().map { (JSON.array([$1]), place[$0]) } } ?? [(value, place)]
            for (element, elementPlace) in elements where !told.concerns(elementPlace, or: place) {
                let value = ClientMetadataValue(json: element, path: place, rules: rules)
                if !read(member, value, at: elementPlace, into: &scratch) { isSound = false }
            }
        }
        guard isSound else { return nil }
        do throws(ClientMetadataError) { return try Client(json: members, by: rules, at: path) } catch {
            problems.add(error.problem, at: error.path)
            return nil
        }
    }

    /// Says whether nothing is wrong.
    private mutating func read(
        _ member: ClientMetadataMember, _ value: ClientMetadataValue, at path: JSONPath,
        into metadata: inout ClientMetadata
    ) -> Bool {
        do throws(ClientMetadataError) {
            try member.read(value, &metadata)
            return true
        } catch {
            // Of a list one element was read, as if it were the whole; of anything else the member knows best what is meant.
            problems.add(error.problem, at: value.path == path ? error.path : path)
            return false
        }
    }

    private mutating func text(of json: JSON, at path: JSONPath) -> String? {
        guard let secret = secret(json, at: path) else { return nil }
        guard let text = secret.withBytes({ String(validating: $0, as: UTF8.self) }) else {
            problems.add("is not UTF-8", at: path)
            return nil
        }
        return text
    }
}

extension JSONObject {
    /// The metadata of a client has seconds alone.
    mutating func writeLifetimesOfClientAsSeconds() {
        for name in ["access_token_lifetime", "id_token_lifetime"] {
            guard let duration = self[name].flatMap(ConfigurationShape.duration) else { continue }
            self[name] = .number(JSONNumber(duration.inSeconds))
        }
    }
}

extension ProviderConfiguration {
    /// - Parameter isBeside: whether users were named.
    mutating func takeStandardUsers(_ flag: Bool?, isBeside: Bool) {
        switch flag {
        case true?: users.addStandardUsers()
        case false? where !isBeside: users = []
        default: break
        }
    }

    /// - Parameter isBeside: whether clients were named.
    mutating func takeStandardClients(_ flag: Bool?, isBeside: Bool) {
        switch flag {
        case true?: clients.addStandardClients()
        case false? where !isBeside: clients = []
        default: break
        }
    }
}

extension [User] {
    /// Those that are there without any configuration, unless somebody has their name.
    fileprivate mutating func addStandardUsers() {
        guard let standard = try? StandardUsers.all() else { return }
        for user in standard
        where !contains(where: { sameText($0.username, user.username) || sameText($0.id, user.id) }) { append(user) }
    }
}

extension [Client] {
    /// Those that are there without any configuration, unless another has their name.
    fileprivate mutating func addStandardClients() {
        guard let standard = try? StandardClients.all() else { return }
        for client in standard where !contains(where: { sameText($0.id, client.id) }) { append(client) }
    }
}
