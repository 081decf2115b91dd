import Primitives

/// What a rule sets a claim to, ready to be evaluated. It is a tree without loops or calls, so evaluation ends.
indirect enum ClaimExpression: Hashable, Sendable {
    case literal(JSON)
    case template(ClaimTemplate)
    case copy(ClaimPath, otherwise: ClaimExpression?)
    case array([ClaimExpression])
    case object([ClaimMember])

    /// A text is a template; an object with `from` copies, one with nothing but `value` stands for that value as it
    /// is; other arrays and objects hold such values again.
    init(_ json: JSON, at place: JSONPath, depth: Int = 0) throws(ClaimRuleError) {
        guard depth < Self.maximumDepth else { throw .init(.tooDeep(limit: Self.maximumDepth), at: place) }
        switch json {
        case .null: throw .init(.null, at: place)
        case .bool, .number: self = .literal(json)
        case .string(let text): self = .template(try ClaimTemplate(parsing: text, at: place))
        case .array(let elements):
            var expressions: [ClaimExpression] = []
            for (index, element) in elements.enumerated() {
                expressions.append(try ClaimExpression(element, at: place[index], depth: depth + 1))
            }
            self = .array(expressions)
        case .object(let members):
            if let source = members["from"] {
                self = try Self.copy(from: source, members, at: place, depth)
            } else if members.count == 1, let value = members["value"] {
                guard value != .null else { throw .init(.null, at: place["value"]) }
                self = .literal(value)
            } else {
                var all: [ClaimMember] = []
                for (name, value) in members {
                    let value = try ClaimExpression(value, at: place[name], depth: depth + 1)
                    all.append(ClaimMember(name: name, value: value))
                }
                self = .object(all)
            }
        }
    }

    private static let maximumDepth = 8

    private static func copy(
        from source: JSON, _ members: JSONObject, at place: JSONPath, _ depth: Int
    ) throws(ClaimRuleError) -> ClaimExpression {
        for name in members.names where !sameText(name, "from") && !sameText(name, "default") {
            throw .init(.unknownMember(allowed: "from and default"), at: place[name])
        }
        let path: ClaimPath
        switch source {
        case .string(let text): path = try ClaimPath(parsing: text, at: place["from"])
        case .array(let names):
            var parts: [String] = []
            for (index, name) in names.enumerated() {
                guard let name = name.string else { throw .init(.notAText, at: place["from"][index]) }
                parts.append(name)
            }
            path = try ClaimPath(parts, at: place["from"])
        default: throw .init(.notAText, at: place["from"])
        }
        guard let otherwise = members["default"] else { return .copy(path, otherwise: nil) }
        return .copy(path, otherwise: try ClaimExpression(otherwise, at: place["default"], depth: depth + 1))
    }

    /// The value, or nil where something it needs is missing. Within arrays and objects what is missing is left out.
    func value(in context: ClaimContext) -> JSON? {
        switch self {
        case .literal(let value): return value
        case .template(let template): return template.text(in: context).map(JSON.string)
        case .copy(let path, let otherwise): return path.value(in: context) ?? otherwise?.value(in: context)
        case .array(let elements): return .array(elements.compactMap { $0.value(in: context) })
        case .object(let members):
            var object = JSONObject()
            for member in members { object[member.name] = member.value.value(in: context) }
            return .object(object)
        }
    }
}
