import Primitives

/// A value of the wrong type in the place of one that is right.
struct ConfigurationMutation {
    let path: JSONPath
    let value: JSON

    /// One for every member and element of a document, and for every type that cannot stand there. What lies within
    /// values of any content is left alone.
    static func all(of document: JSON) -> [ConfigurationMutation] { all(of: document, at: .root) }

    /// One for every list and every object of any members: with nothing in it.
    static func emptying(_ json: JSON, at path: JSONPath = .root) -> [ConfigurationMutation] {
        switch json {
        case .object(let object):
            let empty = path.steps.isEmpty ? [] : [ConfigurationMutation(path: path, value: [:])]
            return object.reduce(into: empty) { $0 += emptying($1.1, at: path[$1.0]) }
        case .array(let elements):
            let empty = [ConfigurationMutation(path: path, value: [])]
            return elements.enumerated().reduce(into: empty) { $0 += emptying($1.1, at: path[$1.0]) }
        default: return []
        }
    }

    /// Whether the value is wrong only beside another one, of which no schema speaks.
    var concernsOthers: Bool {
        guard case .member(let name)? = path.steps.last else { return false }
        return ["legacy", "grant_types", "response_types", "redirect_uris"].contains(name)
    }

    private static let free: Set<String> = ["claims", "metadata", "jwks", "when", "set"]
    private static let wrong: [JSON] = [.null, true, 1.5, "", [[]], ["no such member": 1]]

    private static func all(of json: JSON, at path: JSONPath) -> [ConfigurationMutation] {
        var mutations: [ConfigurationMutation] = []
        if !path.steps.isEmpty {
            mutations += wrong.filter { isWrong($0, for: json, at: path) }.map {
                ConfigurationMutation(path: path, value: $0)
            }
        }
        switch json {
        case .object(let object) where !isFree(json, at: path):
            for (name, value) in object { mutations += all(of: value, at: path[name]) }
        case .array(let elements):
            for (index, value) in elements.enumerated() { mutations += all(of: value, at: path[index]) }
        default: break
        }
        return mutations
    }

    private static func isWrong(_ value: JSON, for json: JSON, at path: JSONPath) -> Bool {
        switch (value, json) {
        case (.bool, .bool): false
        case (.object, .object): !isFree(json, at: path)
        // A client may be allowed no scope at all.
        case (.string, .string): path.steps.last != .member("scope") && path.steps.last != .member("default_scope")
        default: true
        }
    }

    private static func isFree(_ json: JSON, at path: JSONPath) -> Bool {
        guard case .member(let name)? = path.steps.last, case .object = json else { return false }
        return free.contains(name)
    }

    func applied(to document: JSON) -> JSON { Self.replace(path.steps[...], in: document, by: value) }

    private static func replace(_ steps: ArraySlice<JSONPath.Step>, in json: JSON, by value: JSON) -> JSON {
        guard let step = steps.first else { return value }
        switch (step, json) {
        case (.member(let name), .object(var object)):
            object[name] = replace(steps.dropFirst(), in: object[name] ?? .null, by: value)
            return .object(object)
        case (.index(let index), .array(var elements)):
            elements[index] = replace(steps.dropFirst(), in: elements[index], by: value)
            return .array(elements)
        default: return json
        }
    }

    /// For the check by another implementation.
    var json: JSON {
        [
            "path": .array(
                path.steps.map { step in
                    switch step {
                    case .member(let name): .string(name)
                    case .index(let index): .number(JSONNumber(Int64(index)))
                    }
                }), "value": value,
        ]
    }
}
